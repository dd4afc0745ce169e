# A rank encodes its chunk of 16 Ki values in three steps of the reduce-scatter and once for the all-gather, and decodes
# one in each of six steps. A unit that does all of it, a value in a nanosecond, is busy for 10 * 16.384 us. Ours has 64
# lanes and codes a chunk in 256 cycles.
if(own LESS 163840 OR own GREATER 190000)
  message(FATAL_ERROR "an engine that is busy for 163840 ns takes ${own} ns")
endif()
if(ours GREATER 30000)
  message(FATAL_ERROR "ours takes ${ours} ns")
endif()

# One that answers later codes 64 values in a cycle and takes one more to accept a block of 1,024: a chunk of 16 blocks takes
# it 272 ns, less than the link's 330 ns, so that it is as quick as ours. If it stalls in nine of ten cycles, a chunk takes
# 2.72 us, and the engines decide: encoders in three steps of the reduce-scatter and once for the all-gather, whose three
# chunks then pass each decoder one after the other, the first while it is encoded: 6 * 2.72 us in place of 6 * 0.33 us.
foreach(name ready stalls)
  string(REGEX MATCH "${name}: ([0-9]+)[.]([0-9]+) us" found "${text}")
  set(${name} "${CMAKE_MATCH_1}${CMAKE_MATCH_2}")
endforeach()
math(EXPR added "${stalls} - ${ready}")
if(ready GREATER 16000 OR added LESS 12000 OR added GREATER 17000)
  message(FATAL_ERROR "an engine takes ${ready} ns, and ${stalls} ns if it stalls in nine of ten cycles")
endif()
