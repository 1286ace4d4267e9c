package histories

import (
	"flag"
)

var fleetSize = flag.Int(
	"servers", 0, "over how many servers of one store the clients of TestCycles, TestReplay and TestFeedConsumer "+
		"are spread; 0 is over one, and a share over two")

// fleetSizes are over how many servers the clients of a test are spread.
func fleetSizes(under adversity) []int {
	if *fleetSize > 0 {
		return []int{*fleetSize}
	}
	if under == calm || under == killed {
		return []int{1, 2}
	}
	return []int{1}
}
