# At 400 Gbit/s a packet of 4 KiB and its header of 82 bytes takes 83.56 ns, a flit 1.28 ns, so that a switch that
# stores a packet before it forwards it takes 82.28 ns more for each of the six steps.
math(EXPR more "${own} - ${ours}")
if(more LESS 492 OR more GREATER 495)
  message(FATAL_ERROR "six steps with a stored packet each take ${more} ns more, not 6 * 82.28")
endif()
