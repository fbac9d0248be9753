"""Question 4: is a limb program its value modulo p, with nothing lost, for every input in bounds?"""
