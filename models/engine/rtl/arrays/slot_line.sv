// What goes along with a slot of the decoder's lanes. After one stage it is where symbol words are read, after 1 + STREAMS
// where offset words are, and after STAGES its symbols leave.
module slot_line #(
    parameter int STREAMS = 1,
    parameter int CLASSES = 1,
    parameter int COUNT_BITS = 3,
    parameter int CLASS_BITS = 4,  // of the classes of all lanes
    localparam int STAGES = STREAMS + 3
) (
    input logic clk,
    input logic rst,
    input logic enable,  // nothing moves when low
    input logic in_half,  // of the buffers, which holds its block
    input logic in_end,  // the block's last slot
    input logic in_last,  // its last symbols
    input logic [COUNT_BITS-1:0] in_count,  // symbols in the slot
    input logic [CLASS_BITS-1:0] in_classes,
    output logic symbol_half,
    output logic offset_half,
    output logic symbol_prefer,  // half whose block takes symbol words now, or next where none does
    output logic offset_prefer,
    output logic released,  // at this edge the block's last words are taken from offset_half
    output logic out_last,
    output logic [COUNT_BITS-1:0] out_count,
    output logic [CLASS_BITS-1:0] out_classes,
    output logic empty
);
    logic [STAGES-1:0] halves, ends, lasts;
    logic [STAGES*COUNT_BITS-1:0] counts;
    always_ff @(posedge clk)
        if (rst) begin
            ends <= '0;
            counts <= '0;
            halves <= '0;
            lasts <= '0;
        end else if (enable) begin
            halves <= {halves[STAGES-2:0], in_half};
            ends <= {ends[STAGES-2:0], in_end};
            lasts <= {lasts[STAGES-2:0], in_last};
            counts <= {counts[(STAGES-1)*COUNT_BITS-1:0], in_count};
        end
    // Blocks take turns in the halves. A half that has been read is filled with a block that comes after the other one.
    always_ff @(posedge clk)
        if (rst) begin
            symbol_prefer <= 1'b0;
            offset_prefer <= 1'b0;
        end else if (enable) begin
            if (ends[0]) symbol_prefer <= !halves[0];
            if (ends[STREAMS]) offset_prefer <= !halves[STREAMS];
        end
    if (CLASSES > 1) begin : g_classes
        logic [STAGES*CLASS_BITS-1:0] classes;
        always_ff @(posedge clk) if (enable) classes <= {classes[(STAGES-1)*CLASS_BITS-1:0], in_classes};
        assign out_classes = classes[(STAGES-1)*CLASS_BITS+:CLASS_BITS];
    end else begin : g_one_class
        logic unused;
        assign unused = &{1'b0, in_classes};
        assign out_classes = '0;
    end
    assign symbol_half = halves[0];
    assign offset_half = halves[STREAMS];
    assign released = enable && ends[STREAMS];
    assign out_last = lasts[STAGES-1];
    assign out_count = counts[(STAGES-1)*COUNT_BITS+:COUNT_BITS];
    assign empty = counts == '0 && ends == '0;
endmodule
