package mysqlerr

// MySQL's errors of LOAD DATA: for a file that does not fit the statement, and for a file
// that it may not read.
const (
	FileNotReadable = 1085
	OptionPrevents  = 1290
	LocalInfile     = 3948
)
