package costing

import (
	"cmp"
	"slices"
)

const (
	// intersectFrom is the number of documents from which a candidate is worth being
	// intersected with another.
	intersectFrom = 32
	// maxMembers bounds the candidates that are intersected.
	maxMembers = 4
	// intersectGain is how much less an intersection must cost than its best member: how many
	// documents are in both is a guess.
	intersectGain = 0.75
	// correlated is the least part of the fewer documents that is assumed to be in the
	// intersection. Conditions that people write together are seldom independent.
	correlated = 0.1
	// maxCollected: a range's keys are collected up to this number.
	maxCollected = 200_000
)

// intersect replaces the choice by an intersection where one costs less.
func (c *Choice) intersect(documents int64, candidates []Candidate, estimates []Estimate) {
	if best := &candidates[c.Chosen]; best.EntriesOnly || best.PrimaryKey {
		return
	}
	var members []int
	for i := range candidates {
		if candidates[i].Mergeable && c.Why[i].Text == "" && !estimates[i].Least {
			members = append(members, i)
		}
	}
	if len(members) < 2 {
		return
	}
	slices.SortStableFunc(members, func(a, b int) int {
		return cmp.Compare(estimates[a].documents(), estimates[b].documents())
	})
	if estimates[members[0]].documents() < intersectFrom {
		return
	}
	limit := intersectGain * c.Cost
	taken := members[:1:1]
	for _, m := range members[1:] {
		if len(taken) == maxMembers {
			break
		}
		next := append(slices.Clone(taken), m)
		cost, joint := costOfIntersection(documents, next, candidates, estimates)
		if cost < limit {
			limit, taken = cost, next
			c.Chosen, c.Members, c.Joint, c.Cost = taken[0], taken, joint, cost
		}
	}
}

// costOfIntersection is the cost of reading the documents of all members, of which the first has the fewest, or their
// keys where these suffice; and how many there are. The documents of a member are walked in the order of their keys,
// or collected and sorted; the others are stepped along, or opened again where a gap is wide.
func costOfIntersection(documents int64, members []int, candidates []Candidate, estimates []Estimate) (float64, int64) {
	least := float64(estimates[members[0]].documents())
	joint, cost := least, 0.0
	for n, m := range members {
		c, keys := &candidates[m], float64(estimates[m].Keys)
		cost += costRange * float64(c.ranges())
		walked := costEntry * keys
		switch {
		case n == 0 && !c.inKeyOrder():
			walked *= 2 // they are sorted
			if keys > maxCollected {
				walked = costFetchedDocument * keys
			}
		case n > 0 && c.inKeyOrder():
			walked = min(walked, (costRange+costEntry)*least*float64(c.ranges()))
		}
		cost += walked
		if n > 0 {
			joint *= min(1, max(correlated, float64(estimates[m].documents())/float64(max(1, documents))))
		}
	}
	if keysTell(members, candidates) {
		return cost, int64(joint)
	}
	return cost + costFetchedDocument*joint, int64(joint)
}

// keysTell reports whether the keys of the documents that all members have suffice. Then each conjunct that is tested
// on documents is answered by one of the members.
func keysTell(members []int, candidates []Candidate) bool {
	for _, m := range members {
		if !candidates[m].KeyCovers {
			return false
		}
	}
	return !slices.ContainsFunc(candidates[members[0]].Tested, func(conjunct int) bool {
		return !slices.ContainsFunc(members[1:], func(m int) bool { return !slices.Contains(candidates[m].Tested, conjunct) })
	})
}
