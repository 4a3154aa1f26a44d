import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createFairShare } from '../../../packages/library/http/fair-share.ts'

describe('a fair share', () => {
  it('gives a single address half, and the next ones half of the rest', () => {
    const shares = createFairShare(64)
    const one = shares.open('one')
    expect([one.take(32), one.take(1)]).toEqual([true, false])
    const other = shares.open('other')
    expect([other.take(16), other.take(1), shares.open('third').take(8), shares.free()]).toEqual([true, false, true, 8])
    // The share of an address includes all of its requests.
    expect(shares.open('one').take(1)).toBe(false)
    one.release()
    expect([shares.free(), shares.open('one').take(20)]).toEqual([40, true])
  })

  it('gets everything back on release, once, and gives nothing afterwards', () => {
    const shares = createFairShare(10)
    const share = shares.open('one')
    share.take(2)
    share.take(3)
    share.release()
    share.release()
    expect([shares.free(), share.take(1), shares.free()]).toEqual([10, false, 10])
  })

  it('never gives more than there is, keeps some for new addresses, and gets everything back', () => {
    const step = fc.record({ address: fc.nat(30), amount: fc.integer({ min: 1, max: 200 }), ends: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const shares = createFairShare(1_000_000)
        const open: { address: string; share: ReturnType<typeof shares.open> }[] = []
        for (const { address, amount, ends } of steps) {
          if (ends) open.shift()?.share.release()
          const share = shares.open(String(address))
          // As much as it gets.
          for (let part = amount * 1000; part >= 1; part = Math.floor(part / 2)) share.take(part)
          open.push({ address: String(address), share })
          expect(shares.free()).toBeGreaterThan(0)
          const stranger = shares.open('stranger')
          expect(stranger.take(Math.floor(shares.free() / 2))).toBe(true)
          stranger.release()
        }
        for (const { share } of open) share.release()
        expect(shares.free()).toBe(1_000_000)
      }),
      { seed: 20_261_125, numRuns: 200 },
    )
  })
})
