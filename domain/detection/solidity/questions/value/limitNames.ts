// The names in published interfaces for the numbers by which a caller limits a trade; nothing else distinguishes them
// from amounts.

/** The minimum that a trade must yield. */
export const leastName = /(?:^|_)min(?=[A-Z_]|$)|Min(?:imum)?(?=[A-Z_]|$)|^minimum/

/** The maximum that it may cost. */
export const mostName = /(?:^|_)max(?=[A-Z_]|$)|Max(?:imum)?(?=[A-Z_]|$)/

/** The time after which it must not be executed. */
export const untilWhen = /deadline|expir|valid(until|before|to)|notafter/i
