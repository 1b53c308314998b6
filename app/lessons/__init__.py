"""Lessons: their files, the figures that they measure, and a student's progress. No Qt, no engine."""
