# Installs the models, builds examples/EXAMPLE with find_package(oscar_sim) and runs it. EXAMPLE.cmake checks the times
# that it prints, `ours` and `own`.
cmake_minimum_required(VERSION 3.25)
set(work ${BUILD}/examples/${EXAMPLE})
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${text}")
  endif()
  set(text "${text}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --component development --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/${EXAMPLE} -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS}
    -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/${EXAMPLE})
message("${text}")

# In whole nanoseconds.
string(REGEX MATCH "ours: ([0-9]+)[.]([0-9]+) us" found "${text}")
set(ours "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
string(REGEX MATCH "own: ([0-9]+)[.]([0-9]+) us" found "${text}")
set(own "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
include(${CMAKE_CURRENT_LIST_DIR}/${EXAMPLE}.cmake)
