// The decoder array: blocks as they travel in, sums of their symbols and the local values out. While the lanes decode a block
// from one half of their buffers, the next is written to the other.
//
// A block is announced as to encoder_array, before or after its packet comes. Its symbols leave in the order of its slots
// (slot_sequencer), a beat a slot, those without symbols left out; a block of r rounds takes STREAMS * r cycles, and the next
// follows without a gap if it is loaded. Classes and local values come as beats of the same order: the class of a symbol with
// its slot, its local value at the adder. Raw blocks (mode 0 in the packet) go past the lanes. A block that brings the table
// of class 0 (mode 2) begins when blocks before it have left the lanes and its table is written.
//
// A damaged block raises `error` (see block_unpacker) and leaves no sums; a code that is in no row of its table raises it
// too, but leaves them.
module decoder_array #(
    parameter int LANES = 4,
    parameter int STREAMS = 1,  // 1, 2 or 4
    parameter int CLASSES = 1,
    parameter int LAYOUT = 0,  // of the rows of tables; 0: magnitude, 1: ranges
    parameter int ROWS = 16,  // rows of 64 bytes of each stream of a half: a power of two
    parameter int WIRE_STAGES = 0,  // registers between unpacker and lanes: symbols come as much later
    localparam int SUB_STREAMS = LANES * STREAMS,
    localparam int SUB_BITS = $clog2(SUB_STREAMS + 1),
    localparam int LANE_BITS = LANES > 1 ? $clog2(LANES) : 1,
    localparam int ROW_BITS = $clog2(ROWS),
    localparam int STREAM_BITS = STREAMS > 1 ? $clog2(STREAMS) : 1,
    localparam int CLASS_BITS = CLASSES > 1 ? $clog2(CLASSES) : 1
) (
    input logic clk,
    input logic rst,
    input logic [5:0] width,  // of symbols
    input logic [5:0] table_width,  // of the widest symbol that the tables can code
    input logic table_write_valid,  // see table_registers
    input logic [CLASS_BITS-1:0] table_write_class,
    input logic [4:0] table_write_entry,
    input logic [10:0] table_write_count,
    input logic [31:0] table_write_first,  // layout ranges
    input logic [5:0] table_write_offset_bits,
    input logic block_valid,
    output logic block_ready,
    input logic [95:0] block_header,  // as for encoder_array; of its mode, only whether it is bare
    input logic [SUB_BITS-1:0] block_sub_streams,
    input logic [14:0] block_slots,
    input logic [511:0] tdata,
    input logic [63:0] tkeep,
    input logic tvalid,
    output logic tready,
    input logic tlast,
    input logic class_valid,  // not used with one class
    output logic class_ready,
    input logic [CLASS_BITS*LANES-1:0] in_classes,
    input logic local_valid,
    output logic local_ready,
    input logic [32*LANES-1:0] local_values,  // zeros where nothing is to be added
    output logic out_valid,
    input logic out_ready,
    output logic [SUB_BITS-1:0] out_count,  // sums in the beat, from place 0 on
    output logic out_last,  // of the block
    output logic [32*LANES-1:0] out_sums,
    output logic symbols_valid,  // for a cycle: symbols meet their local values, `symbols_count` from place 0 on
    output logic [SUB_BITS-1:0] symbols_count,
    output logic [32*LANES-1:0] out_symbols,
    output logic [CLASS_BITS*LANES-1:0] out_classes,
    output logic loaded,  // for a cycle: a coded block is in the lanes' buffers
    output logic error  // for a cycle
);
    localparam int ROWS_OF_TABLE = 16;
    logic [CLASSES*(ROWS_OF_TABLE+1)*11-1:0] cumulative;
    logic [CLASSES*ROWS_OF_TABLE*32-1:0] first_pattern;
    logic [CLASSES*ROWS_OF_TABLE*6-1:0] offset_bits;
    localparam int TABLE_BITS = LAYOUT == 0 ? 160 : 672;
    logic table_waits, loads_table, table_comes, table_fits;
    logic [TABLE_BITS-1:0] table_data;
    loadable_tables #(
        .CLASSES(CLASSES),
        .LAYOUT(LAYOUT)
    ) tables (
        .clk,
        .rst,
        .width,
        .table_width,
        .write_valid(table_write_valid),
        .write_class(table_write_class),
        .write_entry(table_write_entry),
        .write_count(table_write_count),
        .write_first(table_write_first),
        .write_offset_bits(table_write_offset_bits),
        .comes(table_comes),
        .data(table_data),
        .fits(table_fits),
        .loads(loads_table),
        .waits(table_waits),
        .cumulative,
        .first_pattern,
        .offset_bits
    );

    logic write_symbols, write_offsets, write_place, write_buffer;
    logic [LANE_BITS-1:0] write_lane;
    logic [STREAM_BITS-1:0] write_stream;
    logic [ROW_BITS-1:0] write_symbol_row, write_offset_row;
    logic [511:0] write_data, raw_data;
    logic [5:0] write_begin;
    logic [16:0] write_symbol_bytes, write_offset_bytes;
    logic raw_begins, raw_free, raw_valid, raw_ready, damaged;
    logic [6:0] raw_bytes;
    logic [31:0] values;
    logic [SUB_BITS-1:0] sub_streams;
    logic [1:0] occupied;
    logic brings;
    block_unpacker #(
        .LANES(LANES),
        .STREAMS(STREAMS),
        .LAYOUT(LAYOUT),
        .ROWS(ROWS)
    ) unpacker (
        .clk,
        .rst,
        .width,
        .block_valid,
        .block_ready,
        .block_header,
        .block_sub_streams,
        .block_slots,
        .tdata,
        .tkeep,
        .tvalid,
        .tready,
        .tlast,
        .buffer_free(~occupied),
        .write_symbols,
        .write_offsets,
        .write_place,
        .write_buffer,
        .write_lane,
        .write_stream,
        .write_symbol_row,
        .write_offset_row,
        .write_data,
        .write_begin,
        .write_symbol_bytes,
        .write_offset_bytes,
        .loaded,
        .table_free(!table_waits),
        .table_comes,
        .table_data,
        .table_fits,
        .brings,
        .raw_begins,
        .raw_free,
        .raw_valid,
        .raw_ready,
        .raw_data,
        .raw_bytes,
        .values,
        .sub_streams,
        .error(damaged)
    );

    // Blocks in the order of their packets: coded ones when they are loaded, raw ones when they begin.
    logic push_later;
    localparam int BLOCK_BITS = 3 + 32 + SUB_BITS;
    logic [BLOCK_BITS-1:0] pushed, pushed_later;
    assign pushed = raw_begins ? {1'b1, 1'b0, 1'b0, block_header[95:64], block_sub_streams} :
        {1'b0, write_buffer, brings, values, sub_streams};
    wire_stages #(
        .BITS(BLOCK_BITS),
        .STAGES(WIRE_STAGES)
    ) wires (
        .clk,
        .rst,
        .in_valid(raw_begins || loaded),
        .in_data(pushed),
        .out_valid(push_later),
        .out_data(pushed_later)
    );
    // At most two coded blocks and a raw one are not finished: there is always room.
    // verilator lint_off UNUSEDSIGNAL
    logic queue_ready;
    // verilator lint_on UNUSEDSIGNAL
    logic next_valid, next_ready, next_raw, next_half, next_brings;
    logic [31:0] next_values;
    logic [SUB_BITS-1:0] next_sub_streams;
    register_fifo #(
        .BITS(BLOCK_BITS),
        .DEPTH(4)
    ) queue (
        .clk,
        .rst,
        .in_valid(push_later),
        .in_ready(queue_ready),
        .in_data(pushed_later),
        .out_valid(next_valid),
        .out_ready(next_ready),
        .out_data({next_raw, next_half, next_brings, next_values, next_sub_streams})
    );

    // Slots.
    logic enable, busy, advance, start, start_ready, first, last_symbols, last, has_beat, raw, half;
    logic [STREAM_BITS-1:0] stream;
    // verilator lint_off UNUSEDSIGNAL
    logic [SUB_BITS-1:0] previous;  // for the encoder
    // verilator lint_on UNUSEDSIGNAL
    logic [SUB_BITS-1:0] active, count;
    logic [1:0] ready_halves;
    logic pipe_empty;
    assign start = next_valid && !(next_brings && table_waits) &&
        (next_raw ? pipe_empty && !busy : ready_halves[next_half] && !(busy && raw));
    assign loads_table = next_valid && next_brings && pipe_empty && !busy;
    assign next_ready = start && start_ready;
    slot_sequencer #(
        .LANES(LANES),
        .STREAMS(STREAMS)
    ) slots (
        .clk,
        .rst,
        .start_valid(start),
        .start_ready,
        .start_values(next_values),
        .start_sub_streams(next_sub_streams),
        .start_finish(1'b0),
        .busy,
        .advance,
        .stream,
        .first,
        .active,
        .previous,
        .count,
        .last_symbols,
        .last
    );
    always_ff @(posedge clk)
        if (next_ready) begin
            raw <= next_raw;
            half <= next_half;
        end
    assign has_beat = busy && count != 0;

    logic symbol_half, offset_half, symbol_prefer, offset_prefer, released, lanes_last;
    logic [SUB_BITS-1:0] lanes_count;
    logic [CLASS_BITS*LANES-1:0] lanes_classes;
    slot_line #(
        .STREAMS(STREAMS),
        .CLASSES(CLASSES),
        .COUNT_BITS(SUB_BITS),
        .CLASS_BITS(CLASS_BITS * LANES)
    ) line (
        .clk,
        .rst,
        .enable,
        .in_half(half),
        .in_end(busy && !raw && last),
        .in_last(last_symbols),
        .in_count(has_beat && !raw ? count : '0),
        .in_classes,
        .symbol_half,
        .offset_half,
        .symbol_prefer,
        .offset_prefer,
        .released,
        .out_last(lanes_last),
        .out_count(lanes_count),
        .out_classes(lanes_classes),
        .empty(pipe_empty)
    );

    // Halves of the buffers: with a block, and with one that lanes know of.
    logic [1:0] in_lanes;
    always_ff @(posedge clk)
        if (rst) begin
            occupied <= '0;
            in_lanes <= '0;
        end else begin
            if (loaded) occupied[write_buffer] <= 1'b1;
            if (push_later && !pushed_later[BLOCK_BITS-1]) in_lanes[pushed_later[BLOCK_BITS-2]] <= 1'b1;
            if (released) occupied[offset_half] <= 1'b0;
            if (released) in_lanes[offset_half] <= 1'b0;
        end

    // The lanes.
    logic [2*LANES-1:0] primed;
    logic [LANES-1:0] lane_error, missing;
    logic [32*LANES-1:0] lane_symbols;
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_lane
        logic [SUB_BITS-1:0] sub_stream;
        logic mine;
        assign sub_stream = SUB_BITS'(LANES * 32'(stream) + l);
        assign mine = 32'(write_lane) == l;
        buffered_decoder_lane #(
            .STREAMS(STREAMS),
            .CLASSES(CLASSES),
            .LAYOUT(LAYOUT),
            .ROWS(ROWS)
        ) lane (
            .clk,
            .rst,
            .table_width,
            .cumulative,
            .first_pattern,
            .offset_bits,
            .write_symbols(write_symbols && mine),
            .write_offsets(write_offsets && mine),
            .write_place(write_place && mine),
            .write_buffer,
            .write_stream,
            .write_symbol_row,
            .write_offset_row,
            .write_data,
            .write_begin,
            .write_symbol_bytes,
            .write_offset_bytes,
            .loaded(in_lanes),
            .primed(primed[2*l+:2]),
            .symbol_half,
            .offset_half,
            .symbol_prefer,
            .offset_prefer,
            .enable,
            .in_valid(busy && !raw && sub_stream < active),
            .in_stream(stream),
            .in_first(first),
            .in_class(in_classes[CLASS_BITS*l+:CLASS_BITS]),
            .out_symbol(lane_symbols[32*l+:32]),
            .out_error(lane_error[l]),
            .missing(missing[l])
        );
    end
    logic [1:0] all_primed;
    always_comb begin
        all_primed = 2'b11;
        for (int l = 0; l < LANES; l = l + 1) all_primed = all_primed & primed[2*l+:2];
    end
    always_ff @(posedge clk) ready_halves <= rst ? 2'b00 : all_primed & in_lanes;

    // Raw blocks.
    logic raw_out_valid, raw_takes, raw_aborted;
    logic [32*LANES-1:0] raw_symbols;
    raw_unpacker #(
        .LANES(LANES),
        .STREAMS(STREAMS)
    ) raw_symbol_reader (
        .clk,
        .rst,
        .width,
        .begins(raw_begins),
        .in_valid(raw_valid),
        .in_ready(raw_ready),
        .in_data(raw_data),
        .in_bytes(raw_bytes),
        .out_count(count),
        .out_valid(raw_out_valid),
        .out_ready(raw_takes),
        .out_symbols(raw_symbols)
    );
    // The rest of a damaged one is whatever is there.
    always_ff @(posedge clk)
        if (rst) begin
            raw_free <= 1'b1;
            raw_aborted <= 1'b0;
        end else begin
            if (raw_begins) begin
                raw_free <= 1'b0;
                raw_aborted <= 1'b0;
            end else begin
                if (busy && raw && advance && last) raw_free <= 1'b1;
                if (damaged) raw_aborted <= 1'b1;
            end
        end

    // Adders.
    logic adds, moves, lanes_beat, raw_beat, has_classes;
    assign moves = local_valid && (!out_valid || out_ready);
    assign lanes_beat = lanes_count != 0;
    assign raw_beat = has_beat && raw && (raw_out_valid || raw_aborted);
    assign has_classes = CLASSES == 1 || class_valid || !has_beat;
    // Classes of a raw block are taken as well, so that both ends read as many.
    assign enable = (!lanes_beat || moves) && (raw || has_classes);
    assign raw_takes = raw_beat && moves && has_classes && !lanes_beat;
    assign advance = raw ? raw_takes || !has_beat : enable;
    assign class_ready = has_beat && advance;
    assign adds = (lanes_beat && enable) || raw_takes;
    assign local_ready = adds;
    assign symbols_valid = adds;
    assign symbols_count = lanes_beat ? lanes_count : count;
    assign out_symbols = lanes_beat ? lane_symbols : raw_symbols;
    assign out_classes = lanes_beat ? lanes_classes : in_classes;
    always_ff @(posedge clk)
        if (rst) begin
            out_valid <= 1'b0;
            error <= 1'b0;
        end else begin
            if (out_ready) out_valid <= 1'b0;
            if (adds) begin
                out_valid <= 1'b1;
                out_count <= symbols_count;
                out_last <= lanes_beat ? lanes_last : last_symbols;
            end
            error <= damaged || (adds && |lane_error) || |missing;
        end
    for (genvar l = 0; l < LANES; l = l + 1) begin : g_adder
        integer_adder adder (
            .clk,
            .enable(adds),
            .a(out_symbols[32*l+:32]),
            .b(local_values[32*l+:32]),
            .sum(out_sums[32*l+:32])
        );
    end
endmodule
