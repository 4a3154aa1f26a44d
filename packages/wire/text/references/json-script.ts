import { stringEnd, whitespaceEnd } from '../json/tokens.ts'
import { jsonEscapes } from './encodings.ts'
import type { Finder } from './finder.ts'
import type { Harvest } from './harvest.ts'
import { mayHold } from './harvest.ts'
import type { Encoding, View } from './view.ts'
import { decodedView, sliceView } from './view.ts'

/**
 * Looks for references in the string values of this JSON. Keys stay, because scripts look them up. A string may hold markup,
 * so it is also read with entities decoded. The JSON need not be valid, so slightly invalid payloads keep working.
 */
export function harvestJson(view: View, harvest: Harvest, find: Finder, entities: Encoding): void {
  const { text } = view
  for (let at = text.indexOf('"'); at !== -1;) {
    const end = stringEnd(text, at)
    const isKey = text[whitespaceEnd(text, end)] === ':'
    const start = at + 1
    if (!isKey)
      harvest.once('json', view.rawStart(start), view.rawStart(end), () => {
        const string = sliceView(view, start, end)
        if (!mayHold(string.text, find)) return
        const value = decodedView(string, jsonEscapes)
        harvest.visit([value, decodedView(value, entities)])
      })
    at = text.indexOf('"', end)
  }
}
