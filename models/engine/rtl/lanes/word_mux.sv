// One of some words. A tree of multiplexers that is written out: yosys needs minutes to map a shift by words.
module word_mux #(
    parameter int WORDS = 2,  // from 2 on
    localparam int PLACE_BITS = $clog2(WORDS)
) (
    input logic [16*WORDS-1:0] words,
    input logic [PLACE_BITS-1:0] place,
    output logic [15:0] word  // words[place]; 0 behind the last
);
    logic [(16<<PLACE_BITS)-1:0] padded;
    assign padded = (16 << PLACE_BITS)'(words);
    for (genvar s = 0; s < PLACE_BITS; s = s + 1) begin : g_stage
        localparam int HALF = 8 << (PLACE_BITS - s);  // bits
        logic [2*HALF-1:0] from;
        logic [HALF-1:0] to;
        if (s == 0) begin : g_first
            assign from = padded;
        end else begin : g_next
            assign from = g_stage[s-1].to;
        end
        assign to = place[PLACE_BITS-1-s] ? from[HALF+:HALF] : from[0+:HALF];
    end
    assign word = g_stage[PLACE_BITS-1].to;
endmodule
