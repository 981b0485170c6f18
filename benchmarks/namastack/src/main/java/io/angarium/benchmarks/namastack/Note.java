package io.angarium.benchmarks.namastack;

/** What is put into the outbox. */
record Note(String text) {}
