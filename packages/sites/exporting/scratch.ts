/**
 * One buffer for texts that are hashed, stored or parsed at once. With a new buffer for each, V8 would keep tens of megabytes of them
 * until it collects garbage, and the C library would keep their memory after that.
 */
let scratch = Buffer.allocUnsafeSlow(256 * 1024)

/** Room for so many bytes, valid until the next call of this module. */
export function scratchRoom(bytes: number): Buffer {
  if (scratch.length < bytes) scratch = Buffer.allocUnsafeSlow(bytes)
  return scratch.subarray(0, bytes)
}

/** The bytes of a text, valid until the next call of this module. */
export function scratchBytes(text: string): Buffer {
  const bytes = Buffer.byteLength(text)
  const room = scratchRoom(bytes)
  room.write(text)
  return room
}
