import type { Result } from '../result.ts'
import { ok } from '../result.ts'
import type { Edit } from '../text/edits.ts'
import { applyEdits } from '../text/edits.ts'
import { appendMembers, forEachObject, membersNamed } from '../text/json/objects.ts'
import type { JsonProblem } from '../text/json/reader.ts'
import { stringText } from '../text/json/reader.ts'
import { bySpelling } from '../text/references/spellings.ts'

/**
 * Fills a font tree: sets `clientUrl` on every object, at any depth, whose string `id` names a stored file (docs/api.md,
 * section 3, Fonts). The contract does not specify the tree's shape, so everything else stays unchanged.
 *
 * `urlByFile` is by name inside `vms_fonts/`, including `vms_fonts.css`. `urls` lists every string `clientUrl` in the
 * result, Galley's and the sender's, for the allowed-domains rule.
 */
export function fillFontUrls(
  treeText: string,
  urlByFile: ReadonlyMap<string, string>,
): Result<{ readonly text: string; readonly urls: readonly string[] }, JsonProblem> {
  const stored = bySpelling(urlByFile)
  const edits: Edit[] = []
  const urls: string[] = []
  const read = forEachObject(treeText, (object) => {
    const id = membersNamed(treeText, object, 'id').at(-1)?.value
    const url = id?.kind === 'string' ? stored.get(stringText(treeText, id)) : undefined
    const present = membersNamed(treeText, object, 'clientUrl').map((member) => member.value)
    if (url === undefined) {
      for (const value of present) if (value.kind === 'string') urls.push(stringText(treeText, value))
      return
    }
    urls.push(url)
    if (present.length === 0) edits.push(appendMembers(object, [['clientUrl', JSON.stringify(url)]]))
    for (const { start, end } of present) edits.push({ start, end, text: JSON.stringify(url) })
  })
  return read.ok ? ok({ text: applyEdits(treeText, edits), urls }) : read
}
