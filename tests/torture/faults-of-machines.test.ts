import { clock } from '../../scripts/torture/clock.ts'
import { kills } from '../../scripts/torture/kills.ts'
import { owners } from '../../scripts/torture/owners.ts'
import { secrets } from '../../scripts/torture/secrets.ts'
import { soak } from '../../scripts/torture/soak.ts'
import { testShortForm } from './short.ts'

for (const torture of [kills, owners, clock, soak, secrets]) testShortForm(torture)
