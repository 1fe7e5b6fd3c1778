/** Whether a text is JSON of objects, one after the other. */
export function areObjects(text: string): boolean {
  try {
    JSON.parse(`[${text.replace(/\}\s*\{/g, '},{')}]`);
    return true;
  } catch {
    return false;
  }
}
