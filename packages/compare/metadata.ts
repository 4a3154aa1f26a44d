import type { JsonValue } from '@galley/wire'
import { jsonLines, objectAt, readJson, stringText } from '@galley/wire'

/** What the service writes for each save (contract, metadata): it differs although nobody changed anything. */
const ofSave: ReadonlySet<string> = new Set(['version_id', 'version_cdate', 'user_email', 'user_ip'])

/**
 * Whether two metadata texts say different things: other members or values, apart from those of the save itself, in the
 * outermost object and one level below.
 */
export const metadataDiffers = (one: string | null, other: string | null): boolean =>
  one !== other && comparable(one ?? '{}') !== comparable(other ?? '{}')

function comparable(text: string): string {
  const root = readJson(text)
  return root.ok && root.value.kind === 'object' ? membersOf(text, root.value, 1) : text
}

function membersOf(text: string, object: JsonValue, levels: number): string {
  const members = objectAt(text, object).members.flatMap(({ key, value }) => {
    const name = stringText(text, key)
    if (ofSave.has(name)) return []
    const isEntered = value.kind === 'object' && levels > 0
    return `${JSON.stringify(name)}:${isEntered ? membersOf(text, value, levels - 1) : jsonLines(text.slice(value.start, value.end))}`
  })
  return `{${members.toSorted().join()}}`
}
