// Shared objects are frozen in tests, so that a reader who changes one fails at once.
process.env["COXSWAIN_DEEP_FREEZE"] = "1";
