/** Where a record is in a file of records. */
export interface RecordLocation {
  readonly offset: number
  readonly bytes: number
  /** The first half of the SHA-256 of the bytes. A torn record is a cache miss. */
  readonly check: Buffer
}

/** Bytes of an id, and of a check sum. */
export const hashBytes = 16
const offsetBytes = 6
const offsetAt = 2 * hashBytes
const sizeAt = offsetAt + offsetBytes
export const rowBytes = sizeAt + 4

/**
 * The places of records by id, in one buffer: each row has id, check sum, offset and size. A site of 10,000 pages has 30,000
 * records; as objects of a `Map`, their places took more memory than anything else.
 */
export class RecordTable {
  #rows: Buffer
  #count: number
  /** A hash table of row numbers plus one; 0 is a free slot. At most half of the slots are used. */
  #slots = new Int32Array(0)

  constructor(rows: Buffer = Buffer.alloc(0)) {
    this.#rows = rows
    this.#count = rows.length / rowBytes
    this.#makeSlots()
  }

  static isValid = (rows: Buffer): boolean => rows.length % rowBytes === 0

  get size(): number {
    return this.#count
  }

  /** All rows, as they are stored. */
  get rows(): Buffer {
    return this.#rows.subarray(0, this.#count * rowBytes)
  }

  /** The row of a record; null if there is none. */
  find(id: Buffer): number | null {
    const row = this.#slots[this.#slotOf(id)] ?? 0
    return row === 0 ? null : row - 1
  }

  id(row: number): Buffer {
    const at = row * rowBytes
    return this.#rows.subarray(at, at + hashBytes)
  }

  at(row: number): RecordLocation {
    const at = row * rowBytes
    return {
      offset: this.#rows.readUIntBE(at + offsetAt, offsetBytes),
      bytes: this.#rows.readUInt32BE(at + sizeAt),
      check: this.#rows.subarray(at + hashBytes, at + offsetAt),
    }
  }

  /** Adds a record, or changes its place. */
  set(id: Buffer, { offset, bytes, check }: RecordLocation): void {
    const row = this.find(id) ?? this.#added(id)
    const at = row * rowBytes
    check.copy(this.#rows, at + hashBytes)
    this.#rows.writeUIntBE(offset, at + offsetAt, offsetBytes)
    this.#rows.writeUInt32BE(bytes, at + sizeAt)
  }

  #added(id: Buffer): number {
    const row = this.#count++
    if (this.#count * rowBytes > this.#rows.length) {
      const larger = Buffer.alloc(Math.max(64 * rowBytes, this.#rows.length + (this.#rows.length >> 1)))
      this.#rows.copy(larger)
      this.#rows = larger
    }
    id.copy(this.#rows, row * rowBytes)
    if (this.#count * 2 > this.#slots.length) this.#makeSlots()
    else this.#slots[this.#slotOf(id)] = row + 1
    return row
  }

  #makeSlots(): void {
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(4 * (this.#count + 1))))
    for (let row = 0; row < this.#count; row++) this.#slots[this.#slotOf(this.id(row))] = row + 1
  }

  /** The slot of a record, or the free one where it belongs. Ids are hashes, so any part of one is spread evenly. */
  #slotOf(id: Buffer): number {
    const last = this.#slots.length - 1
    for (let slot = id.readUInt32BE(0) & last; ; slot = (slot + 1) & last) {
      const row = this.#slots[slot] ?? 0
      if (row === 0 || id.equals(this.id(row - 1))) return slot
    }
  }
}
