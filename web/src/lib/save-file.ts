/** Gives the person a file that was made on this page. */
export function saveFile(name: string, parts: readonly BlobPart[], type: string) {
  const address = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has begun to read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address));
}
