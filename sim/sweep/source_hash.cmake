# cmake -DROOT=… -DOUTPUT=… -P source_hash.cmake: writes the definition of source_hash (key.hpp).
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/models/*.[ch]pp ${ROOT}/sim/*.[ch]pp)
list(SORT files)
set(hashes "")
foreach(file IN LISTS files)
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND hashes "${hash} ${file}\n")
endforeach()
string(SHA256 hash "${hashes}")
file(WRITE ${OUTPUT} "#include \"sim/sweep/key.hpp\"

const std::string_view oscar::source_hash = \"${hash}\";
")
