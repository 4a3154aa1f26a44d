import { team } from '../../scripts/torture/team.ts'
import { testShortForm } from './short.ts'

testShortForm(team)
