# Installs the models, builds examples/EXAMPLE with find_package(oscar_sim) and runs it. What it prints is checked:
# at 400 Gbit/s a packet of 4 KiB and its header of 82 bytes takes 83.56 ns, a flit 1.28 ns, so that a switch that
# stores a packet before it forwards it takes 82.28 ns more for each of the six steps.
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
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/${EXAMPLE} -B ${work}/build -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/${EXAMPLE})
message("${text}")

# In whole nanoseconds.
string(REGEX MATCH "ours: ([0-9]+)[.]([0-9]+) us" found "${text}")
set(ours "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
string(REGEX MATCH "own: ([0-9]+)[.]([0-9]+) us" found "${text}")
set(own "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
math(EXPR more "${own} - ${ours}")
if(more LESS 492 OR more GREATER 495)
  message(FATAL_ERROR "six steps with a stored packet each take ${more} ns more, not 6 * 82.28")
endif()
