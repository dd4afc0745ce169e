// SystemC wants a sc_main in every program; tests start from gtest's main instead.
extern "C" int sc_main(int, char**) { return 0; }
