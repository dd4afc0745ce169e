# Manual pages made of `--help` by help2man: FOLDER/oscar-sim.1.gz and FOLDER/oscar-sim-COMMAND.1.gz of each command of
# PROGRAM. SOURCE_DATE_EPOCH fixes their date.
set(ENV{COLUMNS} 10000)   # no lines are broken: troff does that
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE ".*Subcommands:\n" "" commands "${help}")
string(REGEX REPLACE ";[^\n]*" "" commands "${commands}")   # a name is one phrase, and ';' separates CMake's lists
string(REGEX MATCHALL "[a-z]+ +[^\n]+" commands "${commands}")

# write_page(name meaning command): the page `name` of `oscar-sim command`.
function(write_page name meaning command)
  execute_process(COMMAND ${HELP2MAN} --no-info --name=${meaning} --version-string=${VERSION} --source=oscar-sim\ ${VERSION}
                          "${PROGRAM} ${command}"
                  OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "oscar-sim ${command} \\- " "${name} \\- " page "${page}")   # as `apropos` wants it
  file(WRITE ${FOLDER}/${name}.1 "${page}")
  execute_process(COMMAND gzip -9nf ${FOLDER}/${name}.1 COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(GLOB before ${FOLDER}/*.1.gz)   # of commands that are no more
if(before)
  file(REMOVE ${before})
endif()
write_page(oscar-sim "simulator of compressed AllReduce, exact in picoseconds" "")
foreach(line ${commands})
  string(REGEX MATCH "^([a-z]+) +(.+)$" found "${line}")
  write_page(oscar-sim-${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" ${CMAKE_MATCH_1})
endforeach()
