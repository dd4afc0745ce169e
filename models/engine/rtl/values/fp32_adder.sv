// Sum of two IEEE 754 single-precision numbers, rounded to nearest, ties to even, in two stages: alignment and addition,
// then normalisation and rounding. Subnormal numbers, zeros and infinities are exact; a NaN in, or infinities of
// different signs, give the quiet NaN 7FC00000.
module fp32_adder (
    input logic clk,
    input logic enable,  // a register between the stages holds when low
    input logic [31:0] a,
    input logic [31:0] b,
    output logic [31:0] sum  // of what came in at the edge before; combinational behind the register
);
    // Stage 1. `greater` has the larger magnitude; mantissas have their hidden bit and guard, round and sticky bits.
    logic [31:0] greater, lesser;
    logic [7:0] greater_exponent, lesser_exponent, distance;
    logic [26:0] greater_mantissa, lesser_mantissa, aligned;
    logic subtract, not_a_number;
    always_comb begin
        greater = a[30:0] >= b[30:0] ? a : b;
        lesser = a[30:0] >= b[30:0] ? b : a;
        // A subnormal number has the exponent of the smallest normal one.
        greater_exponent = greater[30:23] == 0 ? 8'd1 : greater[30:23];
        lesser_exponent = lesser[30:23] == 0 ? 8'd1 : lesser[30:23];
        greater_mantissa = {greater[30:23] != 0, greater[22:0], 3'b000};
        lesser_mantissa = {lesser[30:23] != 0, lesser[22:0], 3'b000};
        distance = greater_exponent - lesser_exponent;
        aligned = lesser_mantissa >> distance;
        aligned[0] = aligned[0] | ((aligned << distance) != lesser_mantissa);
        if (distance > 26) aligned = {26'b0, lesser_mantissa != 0};
        subtract = greater[31] ^ lesser[31];
        not_a_number = (greater[30:23] == 8'hFF && greater[22:0] != 0) ||
                       (greater[30:23] == 8'hFF && lesser[30:23] == 8'hFF && (subtract || lesser[22:0] != 0));
    end

    logic [27:0] total;
    logic [7:0] exponent;
    logic sign, infinite, invalid;
    always_ff @(posedge clk)
        if (enable) begin
            total <= subtract ? {1'b0, greater_mantissa} - {1'b0, aligned} : {1'b0, greater_mantissa} + {1'b0, aligned};
            exponent <= greater_exponent;
            // x - x is +0, and -0 - 0 is -0.
            sign <= greater[31] & ~(subtract & greater[30:0] == lesser[30:0]);
            infinite <= greater[30:23] == 8'hFF;
            invalid <= not_a_number;
        end

    // Stage 2. Leading zeros of bits 26 .. 0, at most 27.
    logic [4:0] zeros, shift;
    logic [26:0] normal;
    logic [8:0] normal_exponent;
    logic [24:0] rounded;
    logic round_up;
    always_comb begin
        zeros = 5'd27;
        for (int i = 0; i < 27; i = i + 1) if (total[i]) zeros = 5'(26 - i);
        // A subnormal result keeps the smallest exponent.
        shift = {3'b0, zeros} < exponent ? zeros : 5'(exponent - 8'd1);
        if (total[27]) begin
            normal = {total[27:2], total[1] | total[0]};
            normal_exponent = {1'b0, exponent} + 9'd1;
        end else begin
            normal = total[26:0] << shift;
            normal_exponent = {1'b0, exponent} - {4'b0, shift};
        end
        round_up = normal[2] & (normal[3] | normal[1] | normal[0]);
        rounded = {1'b0, normal[26:3]} + {24'b0, round_up};
        if (rounded[24]) normal_exponent = normal_exponent + 9'd1;
        if (!rounded[24] && !rounded[23]) normal_exponent = 9'd0;
        if (invalid) sum = 32'h7FC00000;
        else if (infinite || normal_exponent >= 9'd255) sum = {sign, 8'hFF, 23'b0};
        else sum = {sign, normal_exponent[7:0], rounded[24] ? 23'b0 : rounded[22:0]};
    end
endmodule
