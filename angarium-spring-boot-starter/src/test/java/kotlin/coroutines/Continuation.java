package kotlin.coroutines;

/** Stands for the last argument of a suspend function of Kotlin. */
public interface Continuation<T> {}
