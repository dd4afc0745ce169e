// Whether this build checks addresses: it keeps freed memory and reserves terabytes of addresses, so that no test of a
// program's memory holds.
#pragma once

namespace oscar::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool address_sanitizer = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool address_sanitizer = true;
#else
inline constexpr bool address_sanitizer = false;
#endif
#else
inline constexpr bool address_sanitizer = false;
#endif

}   // namespace oscar::test
