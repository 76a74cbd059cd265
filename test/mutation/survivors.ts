/**
 * Guards whose removal no example notices, by rule and by the name that `npm run mutate` gives them, each with the
 * reason why it stays.
 */
export const survivors: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "evm/access-control/late-check": {
    "without this operand of &&: depth < depthLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: depth < depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/input-validation/unequal-lengths": {
    "never left: arrays.length < 2": "Saves a walk that could not find anything.",
  },
  "evm/logic/unmet-condition": {
    "always the first: other === entry": "Only the trace would be empty, and no example compares traces.",
    "always the second: other === entry":
      "Only the trace would name the function itself as well, and no example compares traces.",
  },
  "evm/oracle-manipulation/unchecked-answer": {
    "never left: answers.size === 0": "Saves a walk over the functions that ask no feed, which are nearly all.",
  },
  "solidity/questions/value/idleSettings": {
    "always entered: found === undefined": "A memo: without it the same is computed again.",
    "always the second: settings.length === 0": "Saves looking at contracts that keep no setting.",
    "never left: keeping.length === 0": "Saves looking at programs that keep no setting.",
  },
  "solidity/demands/appointed": {
    "never left: set.size === 0": "Saves looking at conditions where no account is replaced.",
  },
  "solidity/questions/storage/lostCopies": {
    "always entered: members === undefined": "A memo: without it the same is computed again.",
    "without this operand of &&: changes.nodes.length <= changeLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <: changes.nodes.length <= changeLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    'without this operand of ||: d.value.kind.startsWith("Yul")':
      "Narrows to Solidity's expressions, which makes the cast after it true.",
    'without this operand of &&: !expression.kind.startsWith("Yul")':
      "Narrows to Solidity's expressions, which makes the cast after it true.",
  },
  "solidity/questions/upgrades/collisions": {
    "without this operand of &&: depth < 2":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: depth < 2": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/upgradeability/storage-collision": {
    "always the first: source === undefined || node === undefined":
      "Only the trace would be shorter, and no example compares traces.",
  },
  "solidity/questions/value/fixedOutcome": {
    "always the first: operator in mirrored": "Narrows the type: other operators have no outcome that numbers decide.",
  },
  "cosmwasm/logic/unsettled-balance": {
    "not filtered: ({ walk }) => !walk.truncated": "No example is so long that its walk is cut off.",
  },
  "solana/logic/unsettled-balance": {
    "not filtered: ({ walk }) => !walk.truncated": "No example is so long that its walk is cut off.",
  },
  "cosmwasm/saves/uncheckedTallies": {
    "never left: entryPoints.some(({ walk }) => walk.truncated)": "No example is so long that its walk is cut off.",
    "never left: tallies.votes.size === 0": "Saves looking at contracts in which nobody votes.",
  },
  "cosmwasm/open/openMessages": {
    "as >=: event.order > paid.event.order": "No two events of a walk have one place in its order.",
    'always the first: path === "DistributionMsg::SetWithdrawAddress"':
      "No other message has a field of this name, which the guard tells the reader.",
  },
  "cosmwasm/authority/siblingEffects": {
    "always entered: known === undefined": "A memo: without it the same is computed again.",
    "always entered: allowed === undefined": "A memo: without it the same is computed again.",
  },
  "cosmwasm/inputs/liveDecisions": {
    "never left: queries.length === 0": "Saves a walk that could not find anything.",
  },
  "cosmwasm/saves/unreadMarks": {
    "always entered: uses === undefined": "A memo: without it the same is computed again.",
  },
  "solana/payments/limitUses": {
    'without this operand of ||: one.kind === "struct" && one.fields.some(([, value]) => value === term)':
      "Only the trace would end elsewhere, and no example compares traces.",
    "without this operand of &&: one.fields.some(([, value]) => value === term)":
      "Only the trace would end elsewhere, and no example compares traces.",
    "without this operand of &&: event.order <= until":
      "Only the trace would end elsewhere, and no example compares traces.",
    "without this operand of &&: event.target?.item.body !== undefined":
      "Only the trace would end elsewhere, and no example compares traces.",
    "without this operand of &&: event.args.some((one) => isGiven(one.term))":
      "Only the trace would end elsewhere, and no example compares traces.",
    "as <: event.order <= until": "Only the trace would end elsewhere, and no example compares traces.",
  },
  "solana/records/openRecords": {
    "always entered: asked === undefined": "A memo: without it the same is computed again.",
    "never left: paying.length === 0": "Saves looking at payments in instructions where nothing is paid from.",
  },
  "evm/code-quality/bidirectional-text": {
    "as <=: match.index < lineEnd": "No character that is looked for stands where a line ends.",
  },
  "solidity/questions/contractAt": {
    "as <: node.start <= place": "A contract begins with its keyword, and no finding begins there.",
  },
  "evm/dependency/compiler-bug": {
    'always the second: e.kind.startsWith("Yul")':
      "No expression of assembly has a type of Solidity's; the guard makes the cast beside it true.",
  },
  "solidity/amounts/quotients": {
    "without this operand of ||: only.at === at":
      "Ends the recursion where a local is computed from itself alone, which happens only in a loop that no path reaches.",
    'always the second: only.value.kind.startsWith("Yul")':
      "No expression of assembly is of a kind that holds a quotient; the guard makes the cast below it true.",
  },
  "evm/arithmetic/overflow": {
    'without this operand of ||: node.kind === "branch"':
      "A branch repeats the expression of its condition, whose place is reported already.",
    "without this operand of ||: node.assembly !== undefined":
      "Saves the walk: expressions of assembly are of other kinds than those looked for.",
    "without this operand of ||: ++operations > operationLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: ++operations > operationLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/arithmetic/unsafe-cast": {
    "never left: (node.shape & Shape.equality) === 0": "Saves a walk that could not find anything.",
  },
  "evm/arithmetic/wrong-operator": {
    "never left: !mayConfuse(file)": "Saves a walk that could not find anything.",
    'without this operand of ||: value.literalKind !== "number"':
      "A text is no multiple of eight, so that the next check turns it away.",
  },
  "evm/code-quality/dead-code": {
    'always entered: contract.source.file.text.slice(contract.node.start, contract.node.end).includes("assembly")':
      "Saves a walk that could not find anything.",
  },
  "evm/code-quality/deprecated-api": {
    "never left: !mayUse.test(source.file.text)": "Saves a walk that could not find anything.",
  },
  "evm/code-quality/missing-inheritance": {
    "always entered: interfaces === undefined": "A memo: without it the same is computed again.",
  },
  "evm/dangerous-call/function-pointer-in-assembly": {
    'not filtered: ({ file: { text } }) => text.includes("assembly") && /\\bfunction\\s*\\(/.test(text)':
      "Saves a walk that could not find anything.",
    'without this operand of &&: text.includes("assembly")': "Saves a walk that could not find anything.",
    "without this operand of &&: /\\bfunction\\s*\\(/.test(text)": "Saves a walk that could not find anything.",
    "without this operand of ||: !relevant.has(callable.source)": "Saves a walk that could not find anything.",
    "without this operand of &&: found === undefined": "Ends the walk as soon as something is found.",
  },
  "evm/denial-of-service/locked-ether": {
    "never left: known !== undefined": "A memo: without it the same is computed again.",
  },
  "evm/denial-of-service/strict-balance-equality": {
    "never left: depth > depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/denial-of-service/unbounded-loop": {
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
  },
  "evm/front-running/approve-race": {
    'without this operand of &&: event.operation === "assign"':
      "An approval that adds to the allowance reads it first, which counts as looking at it.",
  },
  "evm/front-running/open-choice": {
    'without this operand of &&: node.kind !== "branch"':
      "A branch repeats the expression of its condition, whose place is reported already.",
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
    "without this operand of ||: isLargeFunction(flow)": "Saves a walk that could not find anything.",
  },
  "evm/front-running/submitted-solution": {
    "never left: !has(flow.origins(check.expression!, check), Source.hash)":
      "Saves a walk that could not find anything.",
    "without this operand of ||: isLargeFunction(flow)": "Saves a walk that could not find anything.",
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
  },
  "evm/input-validation/short-address": {
    'without this operand of &&: e.member === "length"': "`msg.data` has no other member.",
  },
  "evm/logic/boolean-constant": {
    "without this operand of ||: seen.has(expression)":
      "Saves looking at one expression twice; one place is one finding.",
    "never left: found !== undefined": "Ends the walk as soon as something is found.",
  },
  "evm/logic/removal-while-iterating": {
    "never left: flow.loops.length === 0": "Saves a walk that could not find anything.",
    "always entered: found === undefined": "A memo: without it the same is computed again.",
    "without this operand of &&: via.length === 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
  },
  "evm/logic/value-in-nonpayable": {
    "without this operand of &&: found === undefined": "Ends the walk as soon as something is found.",
    "not filtered: ({ file }) => mayName(file.text)": "Saves a walk that could not find anything.",
    "without this operand of ||: !naming.has(fn.source)": "Saves a walk that could not find anything.",
    "without this operand of &&: dot !== -1": "Saves a walk that could not find anything.",
    "without this operand of &&: /\\bvalue\\b/.test(piece.slice(dot))": "Saves a walk that could not find anything.",
    "never left: seen.has(from)": "Saves following one caller twice; the limit ends a circle.",
    "without this operand of &&: i < 500":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: i < 500": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/oracle-manipulation/spot-price": {
    "never left: reads.size === 0": "Saves a walk that could not find anything.",
    'without this operand of ||: node.kind === "branch"':
      "A branch repeats the expression of its condition, whose place is reported already.",
    "without this operand of ||: node.assembly !== undefined":
      "Saves the walk: expressions of assembly are of other kinds than those looked for.",
    "without this operand of ||: !isReader(flow)": "Saves a walk that could not find anything.",
    "never left: !isReader(flow)": "Saves a walk that could not find anything.",
    "always entered: answer === undefined": "A memo: without it the same is computed again.",
  },
  "evm/access-control/unguarded-sibling": {
    "never left: found.length === 0": "Saves a walk that could not find anything.",
  },
  "evm/oracle-manipulation/stale-price": {
    "never left: looked.has(timed.site.node)": "Saves looking at the same twice; one place is one finding.",
  },
  "evm/reentrancy/cross-function": {
    "without this operand of &&: only.at !== at":
      "Ends the recursion where a local is computed from itself alone, which happens only in a loop that no path reaches.",
    "never left: !mayReenter(flow)":
      "Saves time: constructors and functions that nobody reaches count as restricted, and views make no such calls.",
    "never left: ++looked > writeLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: ++looked > writeLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "never left: used.length === 0": "Saves looking at the calls of functions that write nothing of the kind.",
    "always entered: !known.has(variable)": "A memo: without it the same is computed again.",
    "always entered: other !== undefined && (first === undefined || other.order < first.order)":
      "Only the trace would name another function, and no example compares traces.",
    "without this operand of &&: first === undefined || other.order < first.order":
      "Only the trace would name another function, and no example compares traces.",
    "without this operand of ||: other.order < first.order":
      "Only the trace would name another function, and no example compares traces.",
    "as <=: other.order < first.order": "Only the trace would name another function, and no example compares traces.",
  },
  "evm/reentrancy/event-after-call": {
    "never left: !mayReenter(flow)":
      "Saves time: constructors and functions that nobody reaches count as restricted, and views make no such calls.",
  },
  "evm/reentrancy/read-only": {
    "never left: !mayReenter(flow)":
      "Saves time: constructors and functions that nobody reaches count as restricted, and views make no such calls.",
  },
  "evm/reentrancy/state-change-after-call": {
    "never left: !mayReenter(flow)":
      "Saves time: constructors and functions that nobody reaches count as restricted, and views make no such calls.",
  },
  "evm/reentrancy/state-change-after-external-call": {
    "never left: !mayReenter(flow)":
      "Saves time: constructors and functions that nobody reaches count as restricted, and views make no such calls.",
  },
  "evm/reentrancy/state-change-after-transfer": {
    "never left: !mayReenter(flow)":
      "Saves time: constructors and functions that nobody reaches count as restricted, and views make no such calls.",
  },
  "evm/signature/domain-separator": {
    "never left: !domainType.test(source.file.text)": "Saves a walk that could not find anything.",
    "never left: cached.length + inline.length === 0": "Saves a walk that could not find anything.",
    "without this operand of &&: depth < 3":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: depth < 3": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
  },
  "evm/signature/malleability": {
    "never left: recoveries.length === 0": "Saves a walk that could not find anything.",
    'never left: e.kind.startsWith("Yul")': "Narrows to Solidity's expressions, which makes the cast after it true.",
  },
  "evm/signature/zero-signer": {
    "never left: sites.length === 0": "Saves a walk that could not find anything.",
    "never left: found.has(from)": "Saves following one caller twice.",
    "as <=: depth < depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/storage/delete-keeps-mapping": {
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
    'without this operand of ||: event.expression.kind.startsWith("Yul")':
      "There is no delete in assembly; the guard makes the cast below it true.",
  },
  "evm/storage/uninitialised-storage-pointer": {
    "never left: results.length === 0": "Saves a walk that could not find anything.",
    'without this operand of &&: !event.expression.kind.startsWith("Yul")':
      "Narrows to Solidity's expressions, which makes the cast after it true.",
  },
  "evm/time-manipulation/stored-timestamp": {
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
  },
  "evm/time-manipulation/timestamp-comparison": {
    "never left: (blockDataIn(flow) & Source.timestamp) === 0": "Saves a walk that could not find anything.",
  },
  "evm/time-manipulation/timestamp-equality": {
    "never left: (blockDataIn(flow) & Source.timestamp) === 0": "Saves a walk that could not find anything.",
    'without this operand of ||: node.kind === "branch"':
      "A branch repeats the expression of its condition, whose place is reported already.",
    'always the second: only.value.kind.startsWith("Yul")':
      "Narrows to Solidity's expressions, which makes the cast after it true.",
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
    "without this operand of ||: orders.length >= orderLimit":
      "Bounds what is looked at in large functions; no example needs so many comparisons.",
    "as >: orders.length >= orderLimit":
      "Bounds what is looked at in large functions; no example needs so many comparisons.",
  },
  "evm/token-handling/unsafe-mint": {
    'without this operand of ||: c.name.startsWith("ERC721")':
      "Each example also runs with its own names replaced, and a base with source is known by its name only.",
  },
  "evm/unchecked-call/unchecked-erc20-transfer": {
    "never left: !target.implemented || depth > 4":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of ||: !target.implemented":
      "A function without a body does nothing that could be found; the guard saves building its flow.",
    "without this operand of ||: depth > 4":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > 4": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/storage/arbitrary-storage-write": {
    "never left: via.length > 0": "What a helper writes is looked at where the helper itself is.",
    "without this operand of &&: via.length === 0": "What a helper writes is looked at where the helper itself is.",
  },
  "solidity/questions/value/mentions": {
    "never left: known !== undefined": "A memo: without it the same is computed again.",
  },
  "evm/authorization/tx-origin": {
    'never left: !unresolved.has("origin") && ![...declarations].some((d) => d.kind === "Builtin" && d.name === "tx.origin")':
      "Saves a walk that could not find anything.",
    'without this operand of &&: !unresolved.has("origin")': "Saves a walk that could not find anything.",
    'without this operand of &&: d.name === "tx.origin"': "Saves a walk that could not find anything.",
    'without this operand of ||: node.kind === "branch"':
      "A branch repeats the expression of its condition, whose place is reported already.",
  },
  "evm/code-quality/missing-event": {
    "without this operand of &&: depth < 6":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: depth < 6": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/code-quality/secret-in-storage": {
    "never left: seen.has(effect.at)": "Saves looking at the same twice; one place is one finding.",
  },
  "evm/cryptography/packed-hash-collision": {
    "never left: depth > 4": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > 4": "Bounds the walk in large or circular code; no example needs to be that deep.",
    'never left: e.kind.startsWith("Yul")': "Narrows to Solidity's expressions, which makes the cast after it true.",
  },
  "evm/dependency/deprecated-predeploy": {
    "never left: !mayName.test(file.text)": "Saves a walk that could not find anything.",
  },
  "evm/front-running/no-slippage-limit": {
    "without this operand of ||: isLargeFunction(flow)": "Saves a walk that could not find anything.",
    "never left: isLargeFunction(flow)": "Saves a walk that could not find anything.",
    "without this operand of ||: depth > callerDepth":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > callerDepth": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/front-running/payout-set-by-other-transaction": {
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
  },
  "evm/initialization/deployed-uninitialized": {
    "never left: ++looked > deploymentLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: ++looked > deploymentLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/initialization/inline-initial-value": {
    "without this operand of ||: found": "Saves looking at the same twice; one place is one finding.",
  },
  "evm/initialization/local-never-assigned": {
    "always entered: never": "Saves a walk that could not find anything.",
    'without this operand of ||: node.kind === "branch"':
      "A branch repeats the expression of its condition, whose place is reported already.",
  },
  "evm/initialization/state-never-written": {
    "never left: !isDeployed(contract)":
      "Each example also runs with a contract derived from every one, so that none shows a base alone.",
    "always entered: known === undefined": "A memo: without it the same is computed again.",
  },
  "evm/input-validation/missing-zero-address": {
    "without this operand of ||: via.length > 0":
      "What a helper does is reported at the same place when the helper itself is looked at.",
    "without this operand of ||: depth > 4":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > 4": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "always entered: known.length < setterLimit":
      "Bounds what is looked at in large code; no example needs so many setters.",
    "as <=: known.length < setterLimit": "Bounds what is looked at in large code; no example needs so many setters.",
  },
  "evm/logic/assembly-return": {
    "never left: depth > depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/logic/statement-without-effect": {
    "without this operand of &&: i < stepLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: i < stepLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "evm/signature/unused-nonce": {
    "never left: recoveries.length === 0": "Saves a walk that could not find anything.",
    "without this operand of &&: i < stepLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: i < stepLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of ||: seen.has(next)": "Saves looking at the same twice; one place is one finding.",
  },
  "evm/upgradeability/selector-clash": {
    "never left: proxies.length === 0": "Saves a walk that could not find anything.",
  },
  "evm/upgradeability/shared-slot": {
    "always entered: known.length < placesLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: known.length < placesLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "always the first: variable.source === undefined || variable.node === undefined":
      "Only the trace would be shorter, and no example compares traces.",
  },
  "cosmwasm/arithmetic/division-before-multiplication": {
    "without this operand of &&: depth < 4":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: depth < 4": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "cosmwasm/arithmetic/share-inflation": {
    "never left: depth > 16": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > 16": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "cosmwasm/arithmetic/unchecked-arithmetic": {
    "never left: seen.has(one)": "Saves looking at the same twice; one place is one finding.",
    "never left: stops":
      "The manifest decides, which no example has: test/domain/detection/cosmwasm/overflowChecks.test.ts.",
  },
  "cosmwasm/bad-randomness/block-data": {
    "without this operand of ||: depth > 30":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > 30": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of ||: depth > 8":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > 8": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "cosmwasm/dangerous-call/forwarded-message": {
    "without this operand of ||: depth > 6":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: depth > 6": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "cosmwasm/input-validation/duplicate-ids": {
    "as <=: earlier < index": "No record is in another container than itself, which is asked next.",
    "not filtered: (one) => values.has(one)": "Saves keeping pairs that nobody asks for.",
    "never left: about.length < 2": "Saves keeping values that are compared with none.",
  },
  "cosmwasm/saves/addressUses": {
    "without this operand of ||: fact.left === term && fact.right === entry.sender":
      "The sides of an equality are in the order in which their terms were made, and that of the sender is made first.",
    "without this operand of &&: fact.left === term":
      "The sides of an equality are in the order in which their terms were made, and that of the sender is made first.",
    "without this operand of &&: fact.left === entry.sender":
      "The sides of an equality are in the order in which their terms were made, and that of the sender is made first.",
  },
  "cosmwasm/input-validation/unvalidated-funds": {
    "never left: first === undefined": "Saves a walk that could not find anything.",
    "never left: picked === undefined": "Saves a walk that could not find anything.",
    "without this operand of &&: depth < 16":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: depth < 16": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "cosmwasm/input-validation/missing-limit": {
    "never left: shares.size === 0": "Saves a walk that could not find anything.",
  },
  "cosmwasm/arithmetic/overflow-checks-disabled": {
    "without this operand of ||: reported.has(manifest.file.path)":
      "An example is one crate: what a workspace holds beside it is not shown by any.",
  },
  "cosmwasm/reentrancy/state-change-in-reply": {
    "never left: replied.size === 0": "Saves a walk that could not find anything.",
  },
  "cosmwasm/inputs/trades": {
    "always entered: is === undefined": "A memo: without it the same is computed again.",
    "without this operand of ||: paid === undefined": "Saves a walk that could not find anything.",
  },
  "cosmwasm/inputs/forgottenTimes": {
    "never left: times.size === 0 || entryPoints.some(({ walk }) => walk.truncated)":
      "A walk is cut short after 400,000 expressions; no example needs to be that long.",
    "without this operand of ||: times.size === 0": "Saves a walk that could not find anything.",
    "without this operand of ||: entryPoints.some(({ walk }) => walk.truncated)":
      "A walk is cut short after 400,000 expressions; no example needs to be that long.",
    "never left: containers.size === 0": "Saves a walk that could not find anything.",
  },
  "cosmwasm/logic/skipped-index-update": {
    "as <=: event.order < update.order": "No two events of a walk have one place in its order.",
  },
  "cosmwasm/initialization/uninitialised-item": {
    "never left: empty.size === 0": "Saves a walk that could not find anything.",
  },
  "cosmwasm/denial-of-service/unbounded-iteration": {
    "without this operand of ||: lists.size === 0": "Saves a walk that could not find anything.",
    "always entered: !loops.some((one) => one.function === event.function)":
      "Only the trace would repeat a function, and no example compares traces.",
  },
  "cosmwasm/oracle-manipulation/live-balance-decision": {
    "never left: pools.length === 0": "Saves a walk that could not find anything.",
  },
  "cosmwasm/oracle-manipulation/stale-price": {
    "not filtered: ({ name }) => name === crate.name || linked.has(name)":
      "An example is one crate: what a workspace holds beside it is not shown by any.",
    "without this operand of ||: linked.has(name)":
      "An example is one crate: what a workspace holds beside it is not shown by any.",
    'never left: !calls.some(({ name }) => name.startsWith("query"))': "Saves a walk that could not find anything.",
  },
  "cosmwasm/token-handling/unverified-cw20-sender": {
    "without this operand of ||: unasked.length === 0":
      "Saves looking for open places where there is nothing to look up.",
  },
  "solana/records/settings": {
    "as <=: event.order < first.order": "No two events of a walk have one place in its order.",
  },
  "solana/account-validation/duplicate-mutable-accounts": {
    "as <=: end < from": "No two events of a walk have one place in its order.",
    "as <=: to < begin": "No two events of a walk have one place in its order.",
  },
  "solana/arithmetic/unchecked-arithmetic": {
    "never left: stops":
      "The manifest decides, which no example has: test/domain/detection/solana/overflowChecks.test.ts.",
  },
  "evm/initialization/open-reinitializer": {
    "without this operand of &&: !test":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
    "without this operand of ||: entry.test":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
  },
  "evm/initialization/front-runnable-initializer": {
    "without this operand of ||: entry.test":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
  },
  "solidity/questions/deployment/successions": {
    "always the second: family.has(version)":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
    "always the first: folder === null":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
  },
  "cosmwasm/storage/key-collision": {
    "always the first: one.place.file === other.place.file":
      "An example is one file: whether containers of two files meet is not shown by any.",
    "without this operand of ||: isUsed(used, other)":
      "An example is one file: whether containers of two files meet is not shown by any.",
    "without this operand of &&: isUsed(used, one)":
      "An example is one file: whether containers of two files meet is not shown by any.",
    "without this operand of &&: isUsed(used, other)":
      "An example is one file: whether containers of two files meet is not shown by any.",
    "always the first: a.place.file.path === b.place.file.path":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
    "always the first: a.place.file.path < b.place.file.path":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
    "always the second: a.place.file.path < b.place.file.path":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
    "as <=: a.place.file.path < b.place.file.path":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
  },
  "solana/cpi/arbitrary-cpi": {
    "as <: one.order <= call.order":
      "A call to another program neither reads nor checks, so that nothing has its place in the order.",
  },
  "solana/arithmetic/truncating-cast": {
    'without this operand of &&: event.operator === "as"':
      "Only a cast has another type than its operand; the guard says so, and saves a look at every sum.",
  },
  "solana/state-management/stale-after-cpi": {
    "as >=: site.span.start > node.start": "No argument of a macro starts where the macro does.",
    "never left: changes.size === 0": "Saves a walk that could not find anything.",
    "without this operand of &&: event.target.term.name === field":
      "An example is one program; `otherProgramsRecords.test.ts`, which fails without it, has two.",
    "without this operand of ||: ofOther === true && constraints?.mutable === true":
      "An example is one program; `otherProgramsRecords.test.ts`, which fails without it, has two.",
    "without this operand of &&: constraints?.mutable === true":
      "An example is one program; `otherProgramsRecords.test.ts`, which fails without it, has two.",
  },
  "solana/denial-of-service/lamports-before-cpi": {
    "as <=: order < event.order": "No assignment has the place of a call in the order.",
  },
  "solana/token-handling/transfer-fee-ignored": {
    "without this operand of ||: sent.size === 0":
      "Saves going through all events of instructions that send no tokens.",
  },
  "evm/upgradeability/missing-storage-gap": {
    "always the first: node === undefined": "Narrows the type: a gap is always declared.",
  },
  "evm/initialization/unlocked-implementation": {
    'not filtered: ({ role }) => role === "constructor"':
      "Only the trace would name more functions, and no example compares traces.",
    "always the first: message === undefined": "Only the message would be missing, and no example compares messages.",
  },
  "cosmwasm/authorization/missing-sender-check": {
    "always the first: beside?.handler === handler":
      "The place is the same and reported once; only the trace would begin at another message.",
  },
  "evm/arithmetic/tautology": {
    "without this operand of &&: e.end > harmless": "Saves looking at the operands of operands again and again.",
    "without this operand of &&: isConnective": "Only connectives may hide that the result of a payment is ignored.",
    "always entered: isConnective": "What contains a comparison was searched before it.",
    "as >=: e.end > harmless": "Saves looking at the operands of operands again and again.",
  },
  "evm/reentrancy/lock-not-first": {
    "as <=: node.start < lock.start": "No lock of an example makes a call itself.",
  },
  "solidity/questions/blockEntropy": {
    "as >=: seen.size > 200": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of ||: seen.size > 200":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "never left: (blockDataIn(flow) & blockData) === 0": "Saves a walk that could not find anything.",
    "never left: known !== undefined": "A memo: without it the same is computed again.",
  },
  "solidity/access/lacking/rights": {
    "never left: seen.has(facts)": "Saves looking at the same conditions twice.",
  },
  "solidity/questions/authority/entitlement": {
    "as >=: place.keys.parameters.length > 0": "Saves looking at the same writes for every payment of a function.",
    "without this operand of &&: ((place.keys.keys | place.keys.sources) & Source.sender) !== 0 || place.keys.parameters.length > 0":
      "Saves looking at the same writes for every payment of a function.",
    "not filtered: ({ place }) => place !== undefined && (((place.keys.keys | place.keys.sources) & Source.sender) !== 0 || place.keys.parameters.length > 0)":
      "Saves looking at the same writes for every payment of a function.",
  },
  "solidity/access/entries/deeds": {
    "as <=: via.length < 8": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of &&: via.length < 8":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as >=: session.size > 0": "Saves a walk that could not find anything.",
    "without this operand of &&: session.size > 0": "Saves a walk that could not find anything.",
    "as >=: ++stores > laidOutLimit": "Bounds what is looked at in large code; no example needs so much.",
    "never left: ++stores > laidOutLimit": "Bounds what is looked at in large code; no example needs so much.",
    "as >: deeds.length >= deedLimit": "Bounds what is looked at in large code; no example needs so much.",
    "never left: deeds.length >= deedLimit": "Bounds what is looked at in large code; no example needs so much.",
  },
  "solidity/access/entries/intent": {
    "not filtered: ({ variable }) => variable === undefined":
      "Bounds the calls that are looked at; writes do not count.",
  },
  "solidity/access/entries/entries": {
    "as >=: open.length > 0": "Saves a walk that could not find anything.",
    "without this operand of &&: open.length > 0": "Saves a walk that could not find anything.",
    'without this operand of ||: fn.mutability === "pure"': "Saves a walk that could not find anything.",
    'without this operand of ||: fn.mutability === "view"': "Saves a walk that could not find anything.",
    'never left: fn.mutability === "view" || fn.mutability === "pure"': "Saves a walk that could not find anything.",
  },
  "solidity/demands/callerInspection": {
    "always entered: isFixed === undefined": "A memo: without it the same is computed again.",
    "without this operand of &&: !result": "Saves a walk that could not find anything.",
    "as <=: depth < depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of &&: depth < depthLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "always entered: parameters.length === 0": "A memo: without it the same is computed again.",
    "never left: parameters.length === 0 && memo.has(flow)": "A memo: without it the same is computed again.",
  },
  "solidity/demands/toggles": {
    "never left: flow.writes.length < 2": "Saves a walk that could not find anything.",
  },
  "solidity/questions/value/callerNumbers": {
    "never left: isLargeFunction(flow)": "Saves a walk that could not find anything.",
    "never left: kept.length === 0": "Saves a walk that could not find anything.",
    "never left: (node.shape & (Shape.ordering | Shape.bits)) === 0": "Saves a walk that could not find anything.",
    "without this operand of ||: steps.bounded.has(d)": "A memo: without it the same is computed again.",
    "without this operand of ||: steps.seen.has(d)":
      "Saves looking at the same definition twice; the limit ends a circle.",
    "as >=: depth > depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "solidity/access/lacking/payer": {
    "as >=: path.length > depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of ||: path.length > depthLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
    "as <=: i < wayLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of &&: i < wayLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
  "solidity/access/lacking/holders": {
    "without this operand of ||: entries.length === 0": "Saves a walk that could not find anything.",
  },
  "solidity/access/gravity/prepared": {
    "as >=: writers.length > writersLimit": "Bounds what is looked at in large code; no example needs so much.",
    "never left: writers.length > writersLimit": "Bounds what is looked at in large code; no example needs so much.",
  },
  "solidity/access/siblings/family": {
    "as >: found.length >= compared": "Bounds what is looked at in large code; no example needs so much.",
    "never left: found.length >= compared": "Bounds what is looked at in large code; no example needs so much.",
  },
  "solidity/access/siblings/sameSubject": {
    "without this operand of &&: standsFor(other, entry)":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
  },
  "solidity/access/siblings/namesakes": {
    "without this operand of &&: standsFor(other, entry)":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
    "without this operand of ||: entry.test":
      "An example is one file: which of several comes first, and what their paths say, is not shown by any.",
    "never left: bases.size === 0": "Saves a walk that could not find anything.",
    "without this operand of ||: all.guarded.length === 0": "Saves a walk that could not find anything.",
    "never left: found !== undefined": "A memo: without it the same is computed again.",
  },
  "solidity/access/lacking/lacking": {
    "never left: near.every(({ phases }) => phases.size === 0)": "Saves a walk that could not find anything.",
  },
  "solidity/access/checks/declaredChecks": {
    "as <=: depth < depthLimit": "Bounds the walk in large or circular code; no example needs to be that deep.",
    "without this operand of &&: depth < depthLimit":
      "Bounds the walk in large or circular code; no example needs to be that deep.",
  },
}

/** Questions that `--changed` holds to their pins, as it does every rule. One is added when each of its guards is pinned or listed above. */
export const pinnedQuestions: ReadonlySet<string> = new Set([
  "cosmwasm/authority/siblingEffects",
  "cosmwasm/inputs/liveDecisions",
  "cosmwasm/open/openMessages",
  "cosmwasm/saves/uncheckedTallies",
  "cosmwasm/saves/unreadMarks",
  "cosmwasm/saves/unrecorded",
  "solana/records/openRecords",
  "solidity/access/entries/charges",
  "solidity/access/siblings/namesakes",
  "solidity/access/lacking/freeMints",
  "solidity/access/lacking/tokenLedgers",
  "solidity/questions/blockEntropy",
  "solidity/questions/call/declaredParameter",
  "solidity/questions/contractAt",
  "solidity/questions/upgrades/collisions",
  "solidity/questions/storage/lostCopies",
  "solidity/questions/value/constantTruth",
  "solidity/questions/value/fixedOutcome",
  "solidity/questions/value/idleSettings",
  "solidity/questions/value/sameExpression",
])
