import { expect, test } from 'vitest'

import { runTorture } from '../../scripts/torture/run.ts'
import type { Torture } from '../../scripts/torture/torture.ts'

/** Limits of time are for the long forms, on a machine with nothing else to do. */
const patience = 10

/** Tests that the short form passes, and that it detects each broken twin. */
export function testShortForm(torture: Torture): void {
  const { name, title, size, twins } = torture
  const run = (twin: string | null) => runTorture(torture, { size: size.short, patience, twin })

  test(`${name}: ${title}`, async () => {
    const { broken } = await run(null)
    expect(broken).toEqual([])
  })

  test.each(Object.entries(twins))(`${name} notices when broken: %s`, async (twin) => {
    const { broken } = await run(twin)
    expect(broken).not.toEqual([])
  })
}
