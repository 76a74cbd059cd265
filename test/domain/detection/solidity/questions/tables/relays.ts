import { relaysOf } from "../../../../../../domain/detection/solidity/flow/values/relays.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

/** Which functions run a function's code on the storage of their own contract. */
export const relays = questionTable(
  "relays",
  {
    relays: ({ program, fn }) =>
      relaysOf(program, fn)
        .map(({ from }) => `${from.contract?.node.name}.${from.node.name ?? from.role}`)
        .join(" "),
  },
  [
    `pragma solidity ^0.8.20;
abstract contract Asks { function relays(string memory) internal pure {} }
interface ILogic { function set(uint256 x) external; function reset(uint256 x) external; function clear() external; function note() external; }

contract Logic is Asks {
  uint256 value;
  function set(uint256 x) external { relays("Vault.set Vault.change Safe.set"); value = x; }
  function reset(uint256 x) external { relays("Vault.start"); value = x; }
  function clear() external { relays("Vault.stop"); value = 0; }
  function note() external { relays(""); value = 1; }
  function keep(bytes memory x) external { relays(""); value = x.length; }
  function push(uint256 x) external { relays(""); value = x; }
}
contract Vault {
  address logic;
  uint256 value;
  function set(uint256) external { (bool ok, ) = logic.delegatecall(msg.data); require(ok); }
  function change(uint256 x) external { (bool ok, ) = logic.delegatecall(abi.encodeCall(ILogic.set, (x))); require(ok); }
  function start(uint256 x) external { (bool ok, ) = logic.delegatecall(abi.encodeWithSelector(ILogic.reset.selector, x)); require(ok); }
  function stop() external { (bool ok, ) = logic.delegatecall(abi.encodeWithSignature("clear()")); require(ok); }
  // The selector is only written down; what is run is said by somebody else.
  mapping(bytes32 => bool) seen;
  function keep(bytes memory data) external {
    seen[keccak256(abi.encodePacked(value))] = true;
    tell(ILogic.note.selector);
    (bool ok, ) = logic.delegatecall(data);
    require(ok);
  }
  function tell(bytes4) internal {}
  function push(uint256 x) external { (bool ok, ) = logic.call(abi.encodeCall(ILogic.set, (x))); require(ok); }
}
function pass(address logic) { (bool ok, ) = logic.delegatecall(abi.encodeCall(ILogic.reset, (1))); require(ok); }
contract Safe {
  address logic;
  function set(uint256) external { (bool ok, ) = logic.delegatecall(msg.data); require(ok); }
}
// A contract that inherits from the other runs its own code.
contract Base is Asks {
  address logic;
  uint256 value;
  function hand(uint256 x) external virtual { (bool ok, ) = logic.delegatecall(msg.data); require(ok); }
  function take(uint256 x) public virtual { relays(""); value = x; }
}
contract Derived is Base {
  function hand(uint256 x) external override { relays(""); value = x; }
  function take(uint256 x) public override { (bool ok, ) = logic.delegatecall(msg.data); require(ok); }
}
`,
  ],
)
