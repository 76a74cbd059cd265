import type { Span } from "../../../../../../domain/detection/SourceFile.ts"
import type { Flow } from "../../../../../../domain/detection/solidity/program.ts"
import { drawsOf, isDrawnInitially } from "../../../../../../domain/detection/solidity/questions/blockEntropy.ts"
import { questionTable } from "../../../../../support/questionTable.ts"

const textIn = ({ fn }: Flow, { start, end }: Span): string => fn.source.file.text.slice(start, end)

/** Which expressions turn data of a block into a number that looks random, and where that data is read. */
export const draws = questionTable(
  "draws",
  {
    drawn: (flow) =>
      drawsOf(flow)
        .map(({ expression, at, source }) => {
          const [whole, part] = [textIn(flow, expression), textIn(flow, source)]
          const isThere = textIn(flow, at.expression!).includes(whole)
          return `${whole}${whole === part ? "" : ` from ${part}`}${isThere ? "" : " elsewhere"}`
        })
        .join(", "),
    initially: ({ program, fn }) =>
      program
        .stateVariablesOf(fn.contract!)
        .filter((variable) => isDrawnInitially(program, variable))
        .map(({ name }) => name)
        .join(" "),
  },
  [
    `pragma solidity ^0.4.24;
contract Asks { function drawn(string) internal {} function initially(string) internal {} }
contract Old is Asks {
  uint seed = uint(block.blockhash(block.number));
  uint plain = now;
  uint mixed = now % 7;
  uint hashed = uint(keccak256(now));
  uint constant ever = now;
  uint constant fixedOne = 5;
  bytes32 word = block.blockhash(1);
  bytes32 wordHashed = keccak256(block.coinbase);
  uint quotient = 100 % 7;
  uint unset;
  uint x;
  function first() external { initially("seed mixed hashed ever wordHashed"); }
  function hash() external { x = uint(block.blockhash(1)); drawn("uint(block.blockhash(1)) from block.blockhash(1)"); }
  function difficulty() external { x = block.difficulty % 5; drawn("block.difficulty % 5 from block.difficulty"); }
  function miner() external { x = uint(block.coinbase); drawn("uint(block.coinbase) from block.coinbase"); }
  function old() external { x = uint(sha3(now)); drawn("uint(sha3(now)) from now"); }
  function sinceThen() external { x = now + 1 days; drawn(""); }
}`,
    `pragma solidity ^0.8.20;
abstract contract Asks {
  function drawn(string memory) internal pure {}
  receive() external payable {}
}
contract New is Asks {
  uint256 x;
  bytes32 word;
  bool flag;
  uint256 total;
  mapping(bytes32 => uint256) kept;
  uint8 constant SIDES = 6;

  function plus(uint256 n) external { x = block.prevrandao + n; drawn("block.prevrandao + n from block.prevrandao"); }
  function minus(uint256 n) external { x = block.prevrandao - n; drawn("block.prevrandao - n from block.prevrandao"); }
  function times(uint256 n) external { x = block.prevrandao * n; drawn("block.prevrandao * n from block.prevrandao"); }
  function over(uint256 n) external { x = block.prevrandao / n; drawn("block.prevrandao / n from block.prevrandao"); }
  function and(uint256 n) external { x = block.prevrandao & n; drawn("block.prevrandao & n from block.prevrandao"); }
  function or(uint256 n) external { x = block.prevrandao | n; drawn("block.prevrandao | n from block.prevrandao"); }
  function xor(uint256 n) external { x = block.prevrandao ^ n; drawn("block.prevrandao ^ n from block.prevrandao"); }
  function left(uint256 n) external { x = block.prevrandao << n; drawn("block.prevrandao << n from block.prevrandao"); }
  function right(uint256 n) external { x = block.prevrandao >> n; drawn("block.prevrandao >> n from block.prevrandao"); }
  function power(uint256 n) external { x = block.prevrandao ** n; drawn(""); }
  function rest(uint256 n) external { x = block.prevrandao % n; drawn("block.prevrandao % n from block.prevrandao"); }
  function restOfWord(bytes32 n) external { word = blockhash(1) ^ n; drawn(""); }
  function restOfHash(uint256 n) external { x = uint256(keccak256(abi.encode(n))) % block.timestamp; drawn(""); }
  function shortened() external { word = bytes20(blockhash(1)); drawn(""); }
  function ownHash() external { x = sha3(block.prevrandao); drawn(""); }
  function sha3(uint256 n) internal pure returns (uint256) { return n; }
  function alone() external { x = block.prevrandao; drawn(""); }
  function number() external { x = uint256(blockhash(block.number - 1)); drawn("uint256(blockhash(block.number - 1)) from blockhash(block.number - 1)"); }
  function miner() external { x = uint160(address(block.coinbase)); drawn("uint160(address(block.coinbase)) from block.coinbase"); }
  function narrowed() external { x = uint8(block.prevrandao); drawn(""); }
  function toBytes() external { word = bytes32(block.prevrandao); drawn(""); }
  function convertedTo() external { flag = address(uint160(x)) == block.coinbase; drawn(""); }
  // Hashes.
  function hashed(uint256 n) external { word = keccak256(abi.encode(block.prevrandao, n)); drawn("keccak256(abi.encode(block.prevrandao, n)) from block.prevrandao"); }
  function sha() external { word = sha256(abi.encode(block.prevrandao)); drawn("sha256(abi.encode(block.prevrandao)) from block.prevrandao"); }
  function ripe() external { x = uint160(ripemd160(abi.encode(block.prevrandao))); drawn("uint160(ripemd160(abi.encode(block.prevrandao))) from block.prevrandao"); }
  function ripeOnly() external returns (bytes20 w) { w = ripemd160(abi.encode(block.prevrandao)); drawn("ripemd160(abi.encode(block.prevrandao)) from block.prevrandao"); }
  function encoded(uint256 n) external returns (bytes memory b) { b = abi.encode(block.prevrandao, n); drawn(""); }
  function hashedTime() external { word = keccak256(abi.encode(block.timestamp)); drawn(""); }
  function hashedTimeNumber() external { x = uint256(keccak256(abi.encode(block.timestamp))) % 6; drawn("uint256(keccak256(abi.encode(block.timestamp))) % 6 from block.timestamp"); }
  function hashedBlock() external { x = uint256(keccak256(abi.encode(block.number))) % 6; drawn("uint256(keccak256(abi.encode(block.number))) % 6 from block.number"); }
  function hashedOther(uint256 n) external { x = uint256(keccak256(abi.encode(n))) % 6; x = block.timestamp; drawn(""); }
  function hashedChain() external { x = uint256(keccak256(abi.encode(block.timestamp, block.chainid))) % 6; drawn(""); }
  function hashedChainBlock() external { x = uint256(keccak256(abi.encode(block.prevrandao, block.chainid))) % 6; drawn("uint256(keccak256(abi.encode(block.prevrandao, block.chainid))) % 6 from block.prevrandao"); }
  function timeRest() external { x = block.timestamp % 6; drawn(""); }
  function hashedAdd(uint256 n) external { x = uint256(keccak256(abi.encode(block.timestamp))) + n; drawn("uint256(keccak256(abi.encode(block.timestamp))) from block.timestamp"); }
  // Amounts that a draw once contributed to.
  function ledger() external { total += block.prevrandao & 1; x = total + 1; drawn("block.prevrandao & 1 from block.prevrandao"); }
  function added() external { x = total + block.prevrandao; drawn(""); }
  function addedHash() external { x = total + uint256(keccak256(abi.encode(block.prevrandao))); drawn("total + uint256(keccak256(abi.encode(block.prevrandao))) from block.prevrandao"); }
  function ledgerSum() external { x = kept[blockhash(1)] + 5; drawn(""); }
  // What is compared.
  function guess(bytes32 g) external { if (blockhash(5) == g) payable(msg.sender).transfer(1 ether); drawn("blockhash(5)"); }
  function guessNot(bytes32 g) external { if (blockhash(5) != g) revert(); payable(msg.sender).transfer(1 ether); drawn("blockhash(5)"); }
  function guessTurned(bytes32 g) external { if (g == blockhash(5)) payable(msg.sender).transfer(1 ether); drawn("blockhash(5)"); }
  function guessKept() external { bytes32 h = blockhash(5); if (h == word) payable(msg.sender).transfer(1 ether); drawn("blockhash(5)"); }
  function guessRandao(uint256 g) external { if (block.prevrandao == g) payable(msg.sender).transfer(1 ether); drawn("block.prevrandao == g from block.prevrandao"); }
  function guessUnpaid(bytes32 g) external { if (blockhash(5) == g) x = 1; drawn(""); }
  function guessFixed() external { if (blockhash(5) == bytes32(uint256(7))) payable(msg.sender).transfer(1 ether); drawn(""); }
  function guessLess(uint256 g) external { if (block.prevrandao < g) payable(msg.sender).transfer(1 ether); drawn(""); }
  function guessHashed(bytes32 g) external { if (keccak256(abi.encode(blockhash(5))) == g) payable(msg.sender).transfer(1 ether); drawn("keccak256(abi.encode(blockhash(5))) from blockhash(5)"); }
  function guessNumber(uint256 g) external { if (block.number == g) payable(msg.sender).transfer(1 ether); drawn(""); }
  function coin() external { if (block.number % 2 == 0) payable(msg.sender).transfer(1 ether); drawn("block.number % 2 == 0 from block.number"); }
  function coinTurned() external { if (0 < block.number % 2) payable(msg.sender).transfer(1 ether); drawn("0 < block.number % 2 from block.number"); }
  function coinMost() external { if (block.number % 2 <= 0) payable(msg.sender).transfer(1 ether); drawn("block.number % 2 <= 0 from block.number"); }
  function coinMore() external { if (block.number % 2 > 0) payable(msg.sender).transfer(1 ether); drawn("block.number % 2 > 0 from block.number"); }
  function coinLeast() external { if (block.number % 2 >= 1) payable(msg.sender).transfer(1 ether); drawn("block.number % 2 >= 1 from block.number"); }
  function coinOther() external { if (block.number % 2 != 1) payable(msg.sender).transfer(1 ether); drawn("block.number % 2 != 1 from block.number"); }
  function coinSides() external { if ((block.number + SIDES) % 2 == 1) payable(msg.sender).transfer(1 ether); drawn("(block.number + SIDES) % 2 == 1 from block.number"); }
  function coinUnpaid() external { if (block.number % 2 == 0) x = 1; drawn(""); }
  function coinOver() external { if (block.number / 2 == 7) payable(msg.sender).transfer(1 ether); drawn(""); }
  function coinOf(uint256 n) external { if ((block.number + n) % 2 == 0) payable(msg.sender).transfer(1 ether); drawn(""); }
  function coinOfNumber(uint256 n) external { if (block.number > 3 && n % 2 == 0) payable(msg.sender).transfer(1 ether); drawn(""); }
  function coinOfTime() external { if (block.timestamp % 2 == 0) payable(msg.sender).transfer(1 ether); drawn(""); }
  // Where the data is read.
  function through() external { uint256 seed = block.prevrandao; x = seed % 6; drawn("seed % 6 from block.prevrandao"); }
  function throughTwo() external { uint256 seed = block.prevrandao; uint256 other = seed; x = other % 6; drawn("other % 6 from block.prevrandao"); }
  function throughDraw() external { uint256 seed = block.prevrandao % 100; x = seed % 6; drawn("block.prevrandao % 100 from block.prevrandao"); }
  function throughCircle() external { uint256 s = block.prevrandao; uint256 t; for (uint256 i; i < 3; i++) { t = s; s = t; } x = t % 6; drawn("t % 6 from block.prevrandao"); }
  function ofTwo() external { x = block.prevrandao + block.timestamp; drawn("block.prevrandao + block.timestamp from block.prevrandao"); }
  function throughLoop() external { uint256 seed = block.prevrandao; for (uint256 i; i < 3; i++) seed = seed / 2; x = seed; drawn("seed / 2 from block.prevrandao"); }
  function source() internal view returns (uint256) { return block.prevrandao; }
  function throughHelper() external { x = source() % 6; drawn("source() % 6 from source()"); }
  function draw() internal view returns (uint256) { return block.prevrandao % 6; }
  function throughDrawn() external { x = draw() % 5; drawn(""); }
  function plain(uint256 n) internal pure returns (uint256) { return n + 1; }
  function throughPlain() external { x = plain(block.prevrandao) % 6; drawn("plain(block.prevrandao) % 6 from block.prevrandao"); }
  function behind() external { drawn("");  revert(); x = block.prevrandao % 6; }
  function conditional() external { if (block.prevrandao % 2 == 0) x = 1; drawn("block.prevrandao % 2 from block.prevrandao"); }
  function assembled() external { uint256 r; assembly { r := mod(prevrandao(), 6) } x = r; drawn(""); }
  function assembledTime() external { uint256 r; assembly { r := timestamp() } x = uint256(keccak256(abi.encode(r))) % 6; drawn("uint256(keccak256(abi.encode(r))) % 6 from timestamp()"); }
  function assembledNumber() external { uint256 r; assembly { r := number() } x = uint256(keccak256(abi.encode(r))) % 6; drawn("uint256(keccak256(abi.encode(r))) % 6 from number()"); }
  function assembledRandao() external { uint256 r; assembly { r := prevrandao() } x = r % 6; drawn("r % 6 from prevrandao()"); }
  function assembledDifficulty() external { uint256 r; assembly { r := difficulty() } x = r % 6; drawn("r % 6 from difficulty()"); }
  function assembledMiner() external { uint256 r; assembly { r := coinbase() } x = r % 6; drawn("r % 6 from coinbase()"); }
}`,
  ],
)
