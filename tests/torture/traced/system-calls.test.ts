import { faults } from '../../../scripts/torture/faults.ts'
import { killPoints } from '../../../scripts/torture/kill-points.ts'
import { syncs } from '../../../scripts/torture/syncs.ts'
import { testShortForm } from '../short.ts'

for (const torture of [killPoints, faults, syncs]) testShortForm(torture)
