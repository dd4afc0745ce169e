// Of scripts/synthesise's tests: a package that another module needs.
package squares_pkg;
    function automatic [15:0] square(input [15:0] x);
        square = x * x + 16'd3;
    endfunction
endpackage
