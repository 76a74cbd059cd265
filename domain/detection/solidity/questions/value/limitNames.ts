// What published interfaces call the numbers by which a caller limits a trade: nothing else tells them from amounts.

/** The least that a trade must yield. */
export const leastName = /(?:^|_)min(?=[A-Z_]|$)|Min(?:imum)?(?=[A-Z_]|$)|^minimum/

/** The most that it may cost. */
export const mostName = /(?:^|_)max(?=[A-Z_]|$)|Max(?:imum)?(?=[A-Z_]|$)/

/** The time after which it must not be done. */
export const untilWhen = /deadline|expir|valid(until|before|to)|notafter/i
