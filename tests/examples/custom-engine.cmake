# A rank encodes its chunk of 16 Ki values in three steps of the reduce-scatter and once for the all-gather, and decodes
# one in each of six steps. A unit that does all of it, a value in a nanosecond, is busy for 10 * 16.384 us. Ours has 64
# lanes and codes a chunk in 256 cycles.
if(own LESS 163840 OR own GREATER 190000)
  message(FATAL_ERROR "an engine that is busy for 163840 ns takes ${own} ns")
endif()
if(ours GREATER 30000)
  message(FATAL_ERROR "ours takes ${ours} ns")
endif()
