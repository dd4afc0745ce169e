// Of scripts/synthesise's tests: what must not come out of RTL.
module latch (
    input logic clk,
    input logic open,
    input logic d,
    output logic q
);
    always_latch if (open) q = d & clk;
endmodule
