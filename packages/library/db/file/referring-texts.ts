/**
 * The start of a query: a file, given as `@start` (the first 32 hex digits of its hash) and `@name`, or every name if that is
 * null, and the stored texts that name it, also by way of another one. Their rows in `naming` have no name, because a text
 * is the same under every name.
 */
export const referringSql = `WITH RECURSIVE naming (hash_start, name) AS (
    SELECT @start, @name UNION
    SELECT substr(r.sheet, 1, 32), NULL FROM naming n CROSS JOIN style_reference r
      ON r.hash_start = n.hash_start AND r.name = coalesce(n.name, r.name)
  )`

/** Whether a row of this alias, with `sha256` and `name`, is one of `naming n`. */
export const isReferring = (file: string): string =>
  `${file}.sha256 >= n.hash_start AND ${file}.sha256 < n.hash_start || 'g' AND ${file}.name = coalesce(n.name, ${file}.name)`
