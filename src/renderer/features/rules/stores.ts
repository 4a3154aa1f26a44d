import type { Provide } from '../../context/provided.ts'
import type { Services } from '../../domain/services.ts'
import { followOn } from '../../navigation/navigation.ts'
import { whileShown } from '../../navigation/while-shown.ts'
import { createRules, provideRules } from './store.ts'

/** The rules of the site that Settings shows. */
export function createRuleStores({ bridge, navigation }: Services): readonly Provide[] {
  const rules = createRules(whileShown(bridge, navigation, ['settings']))
  followOn(navigation, ['settings'], (site) => rules.getState().show(site))
  return [provideRules(rules)]
}
