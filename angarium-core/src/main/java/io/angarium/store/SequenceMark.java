package io.angarium.store;

/**
 * A moment in the life of the sequence: once it is {@linkplain OutboxStore#settled settled}, no row
 * with a sequence up to {@code lastSequence} can appear any more. Immutable.
 *
 * @param lastSequence no sequence handed out before the mark was taken is higher (a store may leave
 *     out sequences it can prove are not yet inserted)
 * @param barrier the store's own text
 */
public record SequenceMark(long lastSequence, String barrier) {}
