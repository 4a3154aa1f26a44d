import type { ScreenName } from '../../navigation/view.ts'
import { deliveryScreen } from './delivery.tsx'
import { fontsScreen } from './fonts.tsx'
import { materialScreen } from './material.tsx'
import { materialsScreen } from './materials.tsx'
import { publishScreen } from './publish.tsx'
import { reviewScreen } from './review.tsx'
import type { Screen } from './screen.ts'
import { settingsScreen } from './settings.tsx'

export const screens: { readonly [Name in ScreenName]: Screen<Name> } = {
  review: reviewScreen,
  materials: materialsScreen,
  material: materialScreen,
  fonts: fontsScreen,
  publish: publishScreen,
  delivery: deliveryScreen,
  settings: settingsScreen,
}
