// SPDX-License-Identifier: MIT
/*
 * Copies the text of a field. Over plain http there is no clipboard to write to: then the text is
 * left selected, for the person to copy.
 */
export async function copyField(field: HTMLInputElement): Promise<'copied' | 'selected'> {
  field.focus();
  field.select();
  /* Absent over plain http, whatever its declared type says. */
  const clipboard: Clipboard | undefined = navigator.clipboard;
  try {
    if (clipboard === undefined) return 'selected';
    await clipboard.writeText(field.value);
    return 'copied';
  } catch {
    return 'selected';
  }
}
