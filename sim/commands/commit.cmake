# cmake -DROOT=... -DOUTPUT=... -P commit.cmake: writes the definition of commit in version.cpp; the file changes only if
# the commit does.
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "extern const char* const oscar_commit;
const char* const oscar_commit = \"${commit}\";
")
