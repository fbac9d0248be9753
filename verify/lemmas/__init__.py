"""Lemmas: functions on points and entries are what multiplications take them for, whatever they are given."""
