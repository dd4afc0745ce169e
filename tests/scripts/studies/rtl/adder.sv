// Of scripts/synthesise's tests: 24 registers, 8 each of a, b and their sum.
module adder (
    input logic clk,
    input logic rst,
    input logic [7:0] a,
    input logic [7:0] b,
    output logic [7:0] sum
);
    logic [7:0] first, second;
    always_ff @(posedge clk)
        if (rst) {first, second, sum} <= '0;
        else {first, second, sum} <= {a, b, first + second};
endmodule
