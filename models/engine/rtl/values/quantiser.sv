// Fixed-point code of an fp32 value: value * scale rounded to nearest, ties away from zero, and limited to
// -(2^(bits-1) - 1) .. 2^(bits-1) - 1. `scale` is the reciprocal of the step, a positive normal number. Exact: the product
// of two mantissas has 48 bits, all of which decide. Two stages: product, then alignment, rounding and limit. A NaN gives
// 0; models/quantise divides by the step in double precision, which rounds another way in the cases that docs/rtl.md counts.
module quantiser #(
    parameter int BITS = 8
) (
    input logic clk,
    input logic enable,
    input logic [31:0] value,
    input logic [30:0] scale,  // without its sign
    output logic signed [BITS-1:0] code,  // of what came in at the edge before
    output logic saturated
);
    localparam logic [BITS-1:0] LIMIT = {1'b0, {(BITS - 1) {1'b1}}};

    logic [47:0] product;
    logic [8:0] exponent_sum;  // both biased by 127
    logic sign, not_a_number, infinite;
    always_ff @(posedge clk)
        if (enable) begin
            product <= {24'b0, value[30:23] != 0, value[22:0]} * {24'b0, 1'b1, scale[22:0]};
            exponent_sum <= {1'b0, value[30:23] == 0 ? 8'd1 : value[30:23]} + {1'b0, scale[30:23]};
            sign <= value[31];
            not_a_number <= value[30:23] == 8'hFF && value[22:0] != 0;
            infinite <= value[30:23] == 8'hFF;
        end

    // The product is product * 2^(exponent_sum - 254 - 46). With exponent_sum = 254 its integer part is in bits 47 .. 46.
    // Shifted right by 46 - (exponent_sum - 254), the bit below the integer part rounds.
    logic [9:0] right;
    logic [48:0] shifted;
    logic [BITS:0] magnitude;
    logic huge;
    always_comb begin
        right = 10'd299 - {1'b0, exponent_sum};  // one less: bit 0 is then the bit that rounds
        // Below 0 the product is 2^47 or more; above 48 it is less than a half.
        shifted = right > 10'd48 ? '0 : {1'b0, product} >> right[5:0];
        huge = infinite || (right[9] && product != 0) || (shifted >> (BITS + 1)) != 0;
        magnitude = (BITS + 1)'((shifted + 49'd1) >> 1);
        saturated = !not_a_number && (huge || magnitude > {1'b0, LIMIT});
        if (not_a_number) code = '0;
        else if (saturated) code = sign ? -LIMIT : LIMIT;
        else code = sign ? -magnitude[BITS-1:0] : magnitude[BITS-1:0];
    end
endmodule
