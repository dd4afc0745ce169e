"""Figures out of what oscar-sim writes: by label, where one run has several, or under None."""

PS_PER = {"ps": 1, "ns": 1e3, "us": 1e6}


def of_prediction(name, prediction):
    """time_ns, by size."""
    scale = PS_PER[name.removeprefix("time_")]
    return {row["size"]: row["time_ps"] / scale for row in prediction["predictions"]}


def of_traffic(name, report):
    """zero_load_least and zero_load_most by routers; latency by load; what the bounds or the saturation have."""
    if name.startswith("zero_load_") and name != "zero_load_latency":
        return {row["routers"]: row[name.removeprefix("zero_load_")] for row in report["zero_load"]}
    if name == "latency":
        return {point["offered"]: point["mean_latency"] for point in report["points"]}
    return {None: (report["bounds"] | (report["saturation"] or {}))[name]}


def of_report(name, report, method=None):
    """allreduce_, closed_form_, quickest_flow_ (the first transfer to end) and communication_ (of a step) in ns, us or
    ps, bus_factor, busiest_link_bytes, and what the host counted: of a method, or of the first."""
    if name in report["host"]:
        return {None: report["host"][name]}
    chosen = next(m for m in report["methods"] if method in (None, m["name"]))
    if name == "busiest_link_bytes":
        return {None: max(link["wire_bytes"] for link in chosen["links"])}
    if name == "bus_factor":
        return {None: chosen["bus_bandwidth_gbps"] / chosen["algorithm_bandwidth_gbps"]}
    figure, unit = name.rsplit("_", 1)
    if figure == "quickest_flow":
        ps = min(flow["end_ps"] for flow in chosen["flows"])
    else:
        ps = (chosen["step"] if figure == "communication" else chosen)[figure + "_ps"]
    return {None: ps / PS_PER[unit]}


def figures(command, name, written, method=None):
    """Those that `name` calls for of the JSON that `oscar-sim command` wrote."""
    if command == "predict":
        return of_prediction(name, written)
    return of_traffic(name, written) if command == "traffic" else of_report(name, written, method)
