/** Checks of other engines outside of our vulnerability classes: style, gas, complexity, and bugs of a single protocol. */
export const withoutClass: Readonly<Record<string, ReadonlyArray<string>>> = {
  aderyn: `empty-block empty-require-revert inconsistent-type-names internal-function-used-once large-numeric-literal
    literal-instead-of-constant modifier-used-only-once push-zero-opcode state-variable-could-be-constant
    state-variable-could-be-immutable state-variable-init-order state-variable-read-external storage-array-length-not-cached
    todo unsafe-oz-erc721-mint unused-error unused-import unused-public-function`.split(/\s+/),
  slither:
    `assembly cache-array-length constable-states cyclomatic-complexity erc20-indexed external-function immutable-states
    naming-convention too-many-digits unimplemented-functions unindexed-event-address var-read-using-this`.split(/\s+/),
  semgrep: `array-length-outside-loop gearbox-tokens-path-confusion inefficient-state-variable-increment
    init-variables-with-default-value lack-of-error-message non-optimal-variables-swap non-payable-constructor
    olympus-dao-staking-incorrect-call-order redacted-cartel-custom-approval-bug state-variable-read-in-a-loop
    superfluid-ctx-injection tecra-coin-burnfrom-bug thirdweb-vulnerability unnecessary-checked-arithmetic-in-loop
    use-abi-encodecall-instead-of-encodewithselector use-custom-error-not-require use-multiple-require use-nested-if
    use-ownable2step use-prefix-decrement-not-postfix use-prefix-increment-not-postfix use-short-revert-string
    view-fn-mutable-state view-fn-writes zero-division`.split(/\s+/),
  solhint: `code-complexity comprehensive-interface const-name-snakecase contract-name-capwords duplicated-imports
    event-name-capwords explicit-types foundry-test-functions func-name-mixedcase func-named-parameters
    func-param-name-mixedcase function-max-lines gas-calldata-parameters gas-custom-errors gas-increment-by-one
    gas-indexed-events gas-length-in-loops gas-multitoken1155 gas-named-return-values gas-small-strings
    gas-strict-inequalities gas-struct-packing immutable-vars-naming import-path-check imports-on-top imports-order
    interface-starts-with-i max-line-length max-states-count modifier-name-mixedcase named-parameters-mapping
    no-complex-fallback no-console no-empty-blocks no-global-import no-inline-assembly no-unused-import
    one-contract-per-file ordering payable-fallback private-vars-leading-underscore quotes reason-string
    use-forbidden-name var-name-mixedcase visibility-modifier-order`.split(/\s+/),
  mythril: ["swc-123", "swc-127"],
}
