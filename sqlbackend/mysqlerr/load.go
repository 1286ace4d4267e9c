package mysqlerr

// MySQL's errors of LOAD DATA: for a file that is not as the statement says,
// and for one that it may not read.
const (
	FileNotReadable = 1085
	OptionPrevents  = 1290
	LocalInfile     = 3948
)
