// Of scripts/synthesise's tests: a function of a function, with or without a register between.
module squares #(
    parameter int STAGES = 1,
    parameter KIND = "square"
) (
    input logic clk,
    input logic [15:0] x,
    output logic [15:0] y
);
    logic [15:0] taken, between;
    always_ff @(posedge clk) begin
        taken <= x;
        y <= squares_pkg::square(between);
    end
    if (KIND == "none") begin : g_none
        always_comb between = taken;
    end else if (STAGES == 2) begin : g_register
        always_ff @(posedge clk) between <= squares_pkg::square(taken);
    end else begin : g_wire
        always_comb between = squares_pkg::square(taken);
    end
endmodule
