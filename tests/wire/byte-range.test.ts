import { describe, expect, it } from 'vitest'

import { requestedRange } from '../../packages/wire/byte-range.ts'

const whole = null
const no = 'unsatisfiable'

describe('a Range header', () => {
  it.each([
    [undefined, 10, whole],
    ['', 10, whole],
    ['bytes=0-0', 10, { start: 0, length: 1 }],
    ['bytes=0-9', 10, { start: 0, length: 10 }],
    ['bytes=0-', 10, { start: 0, length: 10 }],
    ['bytes=3-5', 10, { start: 3, length: 3 }],
    ['Bytes=3-5', 10, { start: 3, length: 3 }],
    ['bytes=9-', 10, { start: 9, length: 1 }],
    ['bytes=3-99', 10, { start: 3, length: 7 }],
    ['bytes=3-99999999999999999999999999', 10, { start: 3, length: 7 }],
    ['bytes=-3', 10, { start: 7, length: 3 }],
    ['bytes=-10', 10, { start: 0, length: 10 }],
    ['bytes=-99', 10, { start: 0, length: 10 }],
    ['bytes=-0', 10, no],
    ['bytes=10-', 10, no],
    ['bytes=10-12', 10, no],
    ['bytes=99999999999999999999-', 10, no],
    ['bytes=0-', 0, no],
    ['bytes=-1', 0, no],
    // Malformed, of another unit, or several: the whole file, as the standard allows.
    ['bytes=5-3', 10, whole],
    ['bytes=-', 10, whole],
    ['bytes=', 10, whole],
    ['bytes=a-b', 10, whole],
    ['bytes=1.5-3', 10, whole],
    ['bytes=--3', 10, whole],
    ['bytes= 1-2', 10, whole],
    ['bytes=0-1,3-4', 10, whole],
    ['bytes=0-1, bytes=3-4', 10, whole],
    ['items=0-1', 10, whole],
    ['0-1', 10, whole],
    ['bytes=٣-٥', 10, whole],
  ])('%j of %d bytes is %j', (header, sizeBytes, expected) => {
    expect(requestedRange(header, sizeBytes)).toEqual(expected)
  })
})
