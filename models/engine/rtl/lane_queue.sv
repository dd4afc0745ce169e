// Queue in front of a lane: it takes slots as they come and hands them to the lane in the rotation that the lane's
// recurrence asks for, stream s in cycles that are s modulo STREAMS. A lane that its packer stops so holds up the others
// only once its queue is full. The first slot of a block begins a rotation.
module lane_queue #(
    parameter int STREAMS = 1,
    parameter int BITS = 32,  // of what goes along
    parameter int DEPTH = 4,
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1
) (
    input logic clk,
    input logic rst,
    input logic in_valid,
    output logic in_ready,
    input logic [STREAM_BITS-1:0] in_stream,
    input logic in_begins,  // a block
    input logic [BITS-1:0] in_rest,
    output logic out_valid,  // a slot of the lane; without it an empty one
    input logic out_ready,
    output logic [STREAM_BITS-1:0] out_stream,
    output logic [BITS-1:0] out_rest
);
    localparam int COUNT_BITS = $clog2(DEPTH + 1);
    localparam int PLACE_BITS = $clog2(DEPTH);
    localparam int ENTRY = BITS + STREAM_BITS + 1;
    logic [DEPTH*ENTRY-1:0] entries;
    logic [COUNT_BITS-1:0] count;
    logic [PLACE_BITS-1:0] head, tail;
    logic [STREAM_BITS-1:0] phase;
    logic begins, takes;
    assign in_ready = count != COUNT_BITS'(DEPTH);
    assign {begins, out_stream, out_rest} = entries[ENTRY*head+:ENTRY];
    assign out_valid = count != 0 && (begins || out_stream == phase);
    assign takes = out_valid && out_ready;
    function automatic logic [PLACE_BITS-1:0] next(input logic [PLACE_BITS-1:0] place);
        next = place == PLACE_BITS'(DEPTH - 1) ? '0 : place + 1'b1;
    endfunction
    always_ff @(posedge clk)
        if (rst) begin
            count <= '0;
            head <= '0;
            tail <= '0;
            phase <= '0;
        end else begin
            count <= count + COUNT_BITS'(in_valid && in_ready) - COUNT_BITS'(takes);
            if (takes) head <= next(head);
            if (in_valid && in_ready) begin
                entries[ENTRY*tail+:ENTRY] <= {in_begins, in_stream, in_rest};
                tail <= next(tail);
            end
            if (out_ready)
                phase <= STREAMS == 1 ? '0 : (takes && begins ? STREAM_BITS'(1) : STREAM_BITS'(32'(phase) + 1));
        end
endmodule
